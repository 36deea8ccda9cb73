/** Whether a path fits a template with `{name}` for each parameter. */
export function fitsTemplate(template: string, path: string): boolean {
  const steps = path.split('/');
  const wanted = template.split('/');
  return (
    wanted.length === steps.length &&
    wanted.every((step, index) => step.includes('{') || step === steps[index])
  );
}
