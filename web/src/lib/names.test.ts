import { afterEach, describe, expect, it, vi } from "vitest";
import { showLanguage } from "./i18n.svelte";
import { withNames, nameOf, sitters } from "./names";
import type { TableState } from "./wire";

vi.stubGlobal("document", { documentElement: {} });
afterEach(() => showLanguage("en"));

describe("names that nobody chose", () => {
  it("are said in the player's language", async () => {
    await showLanguage("de");
    expect(nameOf({ name: "Northeast", who: "bot" })).toBe("Nordost");
    expect(nameOf({ name: "Guest 2", who: "person" })).toBe("Gast 2");
    expect(sitters(["Guest", "", "Lupe"])).toEqual(["Gast", "Lupe"]);
  });

  it("stay as they are when a person chose them", async () => {
    await showLanguage("es");
    expect(nameOf({ name: "North", who: "person" })).toBe("North");
    expect(nameOf({ name: "Guesthouse", who: "person" })).toBe("Guesthouse");
  });

  it("are not needed by who practises", async () => {
    await showLanguage("de");
    const seats = [{ name: "South", who: "person" }, { name: "Lupe", who: "bot" }];
    const nameIn = (practice: object | null) => withNames({ seat: 0, seats, practice } as unknown as TableState).seats[0]?.name;
    expect([nameIn({}), nameIn(null)]).toEqual(["Du", "South"]);
  });

  it("leave the rest of the table alone", async () => {
    await showLanguage("fr");
    const table = { turn: 1, seats: [{ name: "South", who: "bot", seat: 0 }] } as unknown as TableState;
    expect(withNames(table)).toEqual({ turn: 1, seats: [{ name: "Sud", who: "bot", seat: 0 }] });
    expect(table.seats[0]?.name).toBe("South");
  });
});
