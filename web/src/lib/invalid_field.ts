/** Focus the first field whose text was rejected, and open the section that hides it. Return whether there is one. */
export function stopAtInvalid(form: ParentNode): boolean {
  const field = form.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (!field) return false;
  const section = field.closest("details");
  if (section) section.open = true;
  field.focus();
  return true;
}
