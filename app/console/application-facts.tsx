import type { ReactNode } from "react";
import { grouped } from "~/lib/numbers";

interface Application {
  productName: string;
  platform: string;
  shopperUse: string;
  company: string;
  website: string;
  /** Gone with the account that it belonged to. */
  technicalContactEmail: string | null;
  /** As it was typed, where it is not stored. */
  expectedRequestsPerDay: number | string;
}

/** What an applicant wrote, in the order of the form. */
export const applicationFacts = (application: Application): [string, ReactNode][] => [
  ["Agent or product", application.productName],
  ["Runs on", application.platform],
  [
    "How shoppers will use it",
    <span className="block whitespace-pre-wrap [unicode-bidi:plaintext]" key="use">
      {application.shopperUse}
    </span>,
  ],
  ["Company", application.company],
  [
    "Website",
    // A stranger's address: opened in a tab that knows nothing of this one, and only if it is one of the web.
    /^https?:/.test(application.website) ? (
      <a
        className="rounded text-accent underline decoration-1 underline-offset-4 hover:decoration-2"
        href={application.website}
        key="website"
        rel="noopener noreferrer nofollow"
        target="_blank"
      >
        {application.website}
      </a>
    ) : (
      application.website
    ),
  ],
  [
    "Technical contact",
    application.technicalContactEmail || <span className="text-faint">Deleted with the account</span>,
  ],
  [
    "Expected requests per day",
    typeof application.expectedRequestsPerDay === "number"
      ? grouped(application.expectedRequestsPerDay)
      : application.expectedRequestsPerDay,
  ],
];
