import { describe, expect, it, vi } from "vitest";
import form from "../pages/NewTable.svelte?raw";
import { stopAtInvalid } from "./invalid_field";

describe("a rejected house rule", () => {
  it("stops the form and shows the field", () => {
    const section = { open: false };
    const field = { closest: () => section, focus: vi.fn() };
    expect(stopAtInvalid({ querySelector: () => field } as unknown as ParentNode)).toBe(true);
    expect(section.open).toBe(true);
    expect(field.focus).toHaveBeenCalledOnce();
  });

  it("lets a form without rejected fields continue", () => {
    expect(stopAtInvalid({ querySelector: () => null } as unknown as ParentNode)).toBe(false);
  });

  it("is checked before a table is created", () => {
    expect(form.indexOf("stopAtInvalid(page)")).toBeGreaterThan(0);
    expect(form.indexOf("stopAtInvalid(page)")).toBeLessThan(form.indexOf("api.createTable"));
  });
});
