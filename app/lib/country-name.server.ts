// Countries by name, on the server alone: a browser may know other names.
const regions = new Intl.DisplayNames("en", { type: "region" });

/** IE → "Ireland" */
export const countryName = (code: string): string => regions.of(code) ?? code;
