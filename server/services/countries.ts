// The countries and territories of ISO 3166-1, by their officially assigned alpha-2 codes. Intl also knows other regions.
const codes = new Set(
  `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC
  CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD
  GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH
  KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW
  MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC
  SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY
  UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`
    .trim()
    .split(/\s+/),
);

/** Is it an ISO 3166-1 alpha-2 code (upper case)? */
export const isCountry = (code: string): boolean => codes.has(code);

/** Their codes by what they are called in a language (BCP 47), in full and in short: Bosnia & Herzegovina and Bosnia. */
export function countryCalled(language: string): Map<string, string> {
  const named = (["long", "short"] as const).flatMap((style) => {
    const names = new Intl.DisplayNames(language, { type: "region", style });
    return [...codes].map((code) => [names.of(code)!, code] as const);
  });
  return new Map(named);
}

/** What they are called in a language. */
export const countryNames = (language: string): string[] => [...countryCalled(language).keys()];

/** What countries, and parts of them, are called in English besides. */
const alsoCalled = Object.entries({
  US: ["USA", "United States of America"],
  GB: ["Great Britain", "Britain", "England", "Scotland", "Wales", "Northern Ireland"],
  AE: ["UAE"],
  NL: ["Holland"],
  CZ: ["Czech Republic"],
  TR: ["Turkey"],
}).flatMap(([code, names]) => names.map((name) => [name, code] as const));

/** Their codes by whatever they are called in English. */
export const countryByName: ReadonlyMap<string, string> = new Map([...countryCalled("en"), ...alsoCalled]);
