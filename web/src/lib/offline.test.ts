import { afterEach, describe, expect, it, vi } from "vitest";
import app from "../App.svelte?raw";
import english from "../messages/en.json";
import { ApiError } from "./api";
import { lazy } from "./lazy";
import { loadProblem, network, recover, recoverOnce, serverAnswers } from "./network.svelte";
import { PAGES } from "./pages";

const reload = vi.fn();
const kept = new Map<string, string>();
vi.stubGlobal("location", { reload });
vi.stubGlobal("sessionStorage", {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => kept.set(key, value),
});

afterEach(() => {
  network.lost = "";
  reload.mockClear();
  kept.clear();
});

describe("a page that cannot be fetched", () => {
  it("is reported", async () => {
    const away = vi.fn();
    void lazy(Promise.reject(new TypeError("Failed to fetch dynamically imported module")), away);
    await vi.waitFor(() => expect(away).toHaveBeenCalledOnce());
  });

  it("has its message in the first bundle, and every page of the app uses it", () => {
    expect(english["offline.title"]).toBe("No connection");
    const table = /const pages: .* = \{\n([\s\S]*?)\n  \};/.exec(app)?.[1] ?? "";
    const loaders = new Map(table.split("\n").map((line) => line.trim().split(": ", 2) as [string, string]));
    const expected = [...Object.keys(PAGES), "played_on", "nowhere"].filter((name) => name !== "home");
    expect([...loaders.keys()].sort()).toEqual(expected.sort());
    for (const loader of loaders.values()) expect(loader).toMatch(/^\(\) => (speaking|lazy)\(import\(/);
  });

  it("gives way to “No connection” when the server does not answer, and stays when it refuses", () => {
    expect(loadProblem(new ApiError(404, "There is no such puzzle."))).toBe("There is no such puzzle.");
    expect(network.lost).toBe("");
    loadProblem(new ApiError(0, ""));
    expect(network.lost).toBe("data");
    loadProblem(new TypeError("Failed to fetch dynamically imported module"));
    expect(network.lost).toBe("code");
  });

  it("is shown again when its data can be fetched", () => {
    network.lost = "data";
    expect(recoverOnce()).toBe(true);
    expect(network.lost).toBe("");
    expect(reload).not.toHaveBeenCalled();
  });

  it("is loaded again for its code, by itself once and no more, and whenever it is asked for", () => {
    network.lost = "code";
    expect([recoverOnce(), recoverOnce()]).toEqual([true, false]);
    expect(reload).toHaveBeenCalledTimes(1);
    recover();
    expect(reload).toHaveBeenCalledTimes(2);
  });

  it("asks the server whether it is there", async () => {
    const fetched = vi.fn().mockRejectedValueOnce(new TypeError("Failed to fetch")).mockResolvedValueOnce({ ok: true });
    vi.stubGlobal("fetch", fetched);
    expect(await serverAnswers()).toBe(false);
    expect(await serverAnswers()).toBe(true);
  });
});
