import { Form } from "@remix-run/react";
import { ForThisConsumer } from "~/console/current";
import { ButtonLink } from "~/ui/button";
import { Panel } from "~/ui/panel";
import { SubmitButton } from "~/ui/submit-button";
import { TextLink } from "~/ui/text-link";
import { isRejected } from "~/ui/tier-badge";
import { Time } from "~/ui/time";
import { Checklist, type Step } from "./checklist";
import type { Overview } from "./overview";

/** Where the consumer is between an account and production; each step ticks itself. */
export function Path({ overview, isOwner }: { overview: Overview; isOwner: boolean }) {
  const list = steps(overview, isOwner);
  const done = list.filter(({ state }) => state === "done").length;
  return (
    <Panel
      description={`${done} of ${list.length} steps done`}
      footer={overview.state === "sandbox" && <ProductionRequest isOwner={isOwner} production={overview.production} />}
      title="The path to production"
    >
      <Checklist steps={list} />
    </Panel>
  );
}

function steps(overview: Overview, isOwner: boolean): Step[] {
  return [
    { title: "Account", state: "done", detail: "Your email address is verified." },
    applicationStep(overview),
    sandboxStep(overview),
    firstCallStep(overview, isOwner),
    productionStep(overview),
  ];
}

function applicationStep(overview: Overview): Step {
  const { state, decision } = overview;
  const title = "Application";
  const see = <TextLink to="/console/application">See the application</TextLink>;
  if (state === "under_review") {
    return {
      title,
      state: "current",
      detail: "An operator reviews it and replies by email. You do not need to do anything else.",
      action: (
        <ButtonLink size="sm" to="/console/application">
          See the application
        </ButtonLink>
      ),
    };
  }
  if (isRejected(overview)) {
    return { title, state: "failed", detail: <Ended decision={decision}>It was rejected</Ended>, action: see };
  }
  return {
    title,
    state: "done",
    detail: (
      <>
        Approved
        {decision && !decision.reason && state !== "production" && state !== "revoked" && (
          <>
            {" "}
            <Time at={decision.at} />
          </>
        )}
        . {see}
      </>
    ),
  };
}

/** What ended, and when. */
const Ended = ({ decision, children }: Pick<Overview, "decision"> & { children: string }) => (
  <>
    {children}
    {decision && (
      <>
        {" "}
        <Time at={decision.at} />
      </>
    )}
    .
  </>
);

/** The step that a platform had come to when its access was revoked. */
const revoked = (title: string, { decision }: Overview): Step => ({
  title,
  state: "failed",
  detail: <Ended decision={decision}>Access was revoked</Ended>,
});

function sandboxStep(overview: Overview): Step {
  const { state, revokedFrom, hasDemoStore } = overview;
  if (revokedFrom === "production")
    return { title: "Sandbox", state: "done", detail: "Keys worked until access was revoked." };
  if (state === "revoked" && !isRejected(overview)) return revoked("Sandbox", overview);
  const isOpen = state !== "under_review" && state !== "revoked";
  const where = hasDemoStore ? " on the demo store" : "";
  return {
    title: "Sandbox",
    state: isOpen ? "done" : "todo",
    detail: isOpen ? `Keys work${where}.` : `Keys, and every tool${where}.`,
  };
}

function firstCallStep({ state, firstCallAt, hasDemoStore, limits, terms }: Overview, isOwner: boolean): Step {
  const title = "First call";
  const { active, maximum } = limits.keys;
  const mayIssue = isOwner && maximum > 0 && terms.accepted === terms.current;
  if (state === "sandbox" && !hasDemoStore)
    return {
      title,
      state: "current",
      detail: "Waiting for an operator to load the demo store: tools read nothing yet.",
    };
  if (firstCallAt)
    return {
      title,
      state: "done",
      detail: (
        <>
          A tool answered <Time at={firstCallAt} />.
        </>
      ),
    };
  if (state === "under_review" || state === "revoked") {
    return { title, state: "todo", detail: "One successful tool call, in the Playground or with a key." };
  }
  return {
    title,
    state: "current",
    detail: (
      <>
        Waiting for one successful tool call, in{" "}
        <TextLink reloadDocument to="/console/playground">
          the Playground
        </TextLink>{" "}
        or with a key. This step completes itself.
      </>
    ),
    action:
      active === 0 && mayIssue ? (
        <ButtonLink size="sm" to="/console/keys?dialog=issue">
          Issue a key
        </ButtonLink>
      ) : (
        <ButtonLink size="sm" to="#connect">
          See how
        </ButtonLink>
      ),
  };
}

function productionStep(overview: Overview): Step {
  const { state, revokedFrom, decision, production } = overview;
  const title = "Production";
  if (revokedFrom === "production") return revoked(title, overview);
  if (state === "production") {
    return {
      title,
      state: "done",
      detail: (
        <>
          Your tools can read the stores in your coverage.
          {decision && (
            <>
              {" "}
              Approved <Time at={decision.at} />.
            </>
          )}
        </>
      ),
    };
  }
  if (state === "production_requested") {
    return {
      title,
      state: "current",
      detail: "Requested. An operator reviews it and replies by email; the sandbox keeps working.",
    };
  }
  const isNext = production.offered;
  if (state === "sandbox" && decision?.reason) {
    return {
      title,
      state: isNext ? "current" : "todo",
      detail: (
        <>
          The request was declined <Time at={decision.at} />; you can ask again.
        </>
      ),
    };
  }
  return {
    title,
    state: isNext ? "current" : "todo",
    detail: "Merchants' own stores, after an operator's review. Your keys stay the same.",
  };
}

/** The button of the last step, with what is missing for as long as something is. */
function ProductionRequest({ production, isOwner }: { production: Overview["production"]; isOwner: boolean }) {
  return (
    <Form className="flex grow flex-wrap items-center justify-between gap-3" method="post" preventScrollReset>
      <input name="intent" type="hidden" value="request-production" />
      <ForThisConsumer />
      <p className="min-w-0 grow basis-64 text-pretty leading-5" id="production-missing">
        {production.missing ??
          (isOwner
            ? "Your integration works. Check your application first: it cannot be changed during the review."
            : "An owner can request production access now.")}
      </p>
      <SubmitButton aria-describedby="production-missing" disabled={!production.offered || !isOwner}>
        Request production access
      </SubmitButton>
    </Form>
  );
}
