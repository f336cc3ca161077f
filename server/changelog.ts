// What changed for callers, newest first. Tools only gain: arguments and answers keep their meaning within a major version.
interface Release {
  version: string;
  /** ISO 8601. */
  date: string;
  changes: string[];
}

export const changelog: Release[] = [
  {
    version: "2.0.0",
    date: "2026-09-26",
    changes: [
      "Eleven read-only tools over MCP 2025-06-18, on one stateless endpoint.",
      "Scoped keys: issue, narrow, rotate and revoke on the Keys page.",
      "Every counted answer states its rate limit in RateLimit and RateLimit-Policy.",
      "Refused arguments come back as tool results that name each argument, so that a model can fix its call.",
    ],
  },
];

/** Of the service, as clients, directories and traces are told. */
export const VERSION = changelog[0]!.version;
