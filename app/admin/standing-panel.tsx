import { Form } from "@remix-run/react";
import { DialogLink } from "~/ui/dialog-link";
import { Panel } from "~/ui/panel";
import { SubmitButton } from "~/ui/submit-button";
import { isRejected } from "~/ui/tier-badge";
import type { Consumer } from "./consumer";

const restored = {
  under_review: "Once restored, it returns to review.",
  sandbox: "Once restored, it is in sandbox again.",
  production_requested: "Once restored, it is in sandbox again, and its request for production waits.",
  production: "Once restored, it is in production again.",
};

/** Access taken away, or given back. */
export function StandingPanel({ consumer }: { consumer: Consumer }) {
  const { state, revokedFrom, decisionReason, version } = consumer;
  if (state === "revoked") {
    return (
      <Panel title={isRejected(consumer) ? "The application is rejected" : "Access is revoked"}>
        <div className="flex flex-col items-start gap-4 text-sm">
          <p className="wrap-anywhere whitespace-pre-line text-pretty leading-6">
            {decisionReason ? `Reason: ${decisionReason}` : "No reason was given."}
          </p>
          <p className="text-pretty text-muted leading-6">{restored[revokedFrom!]}</p>
          <Form method="post" preventScrollReset>
            <input name="intent" type="hidden" value="restore" />
            <input name="version" type="hidden" value={version} />
            <SubmitButton variant="secondary">
              {isRejected(consumer) ? "Restore the application" : "Restore access"}
            </SubmitButton>
          </Form>
        </div>
      </Panel>
    );
  }
  // Who waits for a first decision has no access yet.
  const label = state === "under_review" ? "Reject the application" : "Revoke access";
  return (
    <Panel
      description={
        state === "under_review"
          ? "It gets no keys. The application can be restored later; it then returns to review."
          : "Every key is refused with 401 from its next request, and the directory endpoint answers 404. Access can be restored later, as it was."
      }
      title={label}
    >
      <DialogLink dialog="reject" variant="danger">
        {label}
      </DialogLink>
    </Panel>
  );
}
