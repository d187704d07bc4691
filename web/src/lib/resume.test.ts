import { afterEach, describe, expect, it, vi } from "vitest";
import { api, ApiError } from "./api";
import type { TableListing } from "./rest";
import { findTable } from "./resume";

const table = (id: string, status: TableListing["status"]) => ({ id, status }) as TableListing;
const answers = (last: TableListing | null, open: TableListing[]) => {
  vi.spyOn(api, "table").mockImplementation(() => (last ? Promise.resolve(last) : Promise.reject(new ApiError(404, ""))));
  return vi.spyOn(api, "myGames").mockResolvedValue({ open, finished: [] });
};

afterEach(() => vi.restoreAllMocks());

describe("the way back to a table", () => {
  it("comes from the server for an account on a new device", async () => {
    answers(null, [table("done", "over"), table("mine", "playing")]);
    expect((await findTable(null, true))?.id).toBe("mine");
  });

  it("prefers the last table of this device while it is open", async () => {
    const asked = answers(table("here", "playing"), [table("mine", "playing")]);
    expect((await findTable("here", true))?.id).toBe("here");
    expect(asked).not.toHaveBeenCalled();
  });

  it("moves on from a table that is over or gone", async () => {
    answers(table("here", "over"), [table("mine", "waiting")]);
    expect((await findTable("here", true))?.id).toBe("mine");
    answers(null, [table("mine", "waiting")]);
    expect((await findTable("gone", true))?.id).toBe("mine");
  });

  it("asks nothing more for a guest", async () => {
    const asked = answers(null, [table("mine", "playing")]);
    expect(await findTable(null, false)).toBeNull();
    expect(asked).not.toHaveBeenCalled();
  });
});
