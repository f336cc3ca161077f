import type { ReactNode } from "react";
import { applicationFacts } from "~/console/application-facts";
import { Facts } from "~/ui/facts";
import { Mono } from "~/ui/mono";
import { Panel } from "~/ui/panel";
import { Time } from "~/ui/time";
import { DomainBadge, explained } from "./domain-badge";
import type { Review } from "./review";

type Evidence = Pick<Review, "application" | "applicant" | "domain">;

/** What the applicant wrote, and whether their address speaks for their website. */
export function ApplicationPanel({ application, applicant, domain }: Evidence) {
  if (!application) {
    return (
      <Panel title="Application">
        <p className="text-muted text-sm">There is no application: an operator created this platform.</p>
      </Panel>
    );
  }
  const isEdited = application.updatedAt.getTime() - application.createdAt.getTime() > 1000;
  return (
    <Panel
      description={
        <>
          Submitted <Time at={application.createdAt} />
          {isEdited && (
            <>
              , last changed <Time at={application.updatedAt} />
            </>
          )}
        </>
      }
      title="Application"
    >
      <div className="flex flex-col gap-6">
        <Facts facts={applicationFacts(application)} />
        <div className="border-line border-t pt-6">
          <Facts facts={proven(applicant, domain)} />
        </div>
      </div>
    </Panel>
  );
}

function proven(applicant: Evidence["applicant"], domain: Evidence["domain"]): [string, ReactNode][] {
  if (!applicant || !domain) return [["Applicant", "Their account is deleted."]];
  return [
    [
      "Applicant",
      <span className="flex flex-col" key="applicant">
        <span>{applicant.name}</span>
        <span className="text-muted">{applicant.email}</span>
        <span className="text-[0.8125rem] text-muted">
          Account created <Time at={applicant.since} />
        </span>
      </span>,
    ],
    [
      "Domain rule",
      <span className="flex flex-col items-start gap-1" key="domain">
        <DomainBadge verdict={domain.verdict} />
        <span className="text-[0.8125rem] text-muted">{explained(domain.verdict)}</span>
      </span>,
    ],
    ["Email's domain", domain.emailDomain ? <Mono key="email">{domain.emailDomain}</Mono> : "None"],
    ["Website's domain", domain.websiteDomain ? <Mono key="site">{domain.websiteDomain}</Mono> : "None"],
  ];
}
