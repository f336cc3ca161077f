/** What is wrong with a field, or, where it stands for a list, with one of its parts. */
export const fieldError = (fields: Record<string, string> | undefined, name: string): string | undefined =>
  Object.entries(fields ?? {}).find(([path]) => path.split(".")[0] === name)?.[1];
