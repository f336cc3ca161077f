/** A JSON value as its text, made ready by the database: handed on as it is instead of being read and written again. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** The JSON text of a value that may be one already. */
export const jsonTextOf = (value: unknown): string => (value instanceof JsonText ? value.text : JSON.stringify(value));
