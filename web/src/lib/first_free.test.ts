import { expect, it } from "vitest";
import { firstFree } from "./waiting_room";

it("finds the first free seat for an invited friend", () => {
  const seats = ["person", "bot", "free", "free"].map((who, seat) => ({ seat, who }));
  expect(firstFree(seats)?.seat).toBe(2);
  expect(firstFree(seats.slice(0, 2))).toBeUndefined();
});
