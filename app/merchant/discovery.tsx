import { Form } from "@remix-run/react";
import { Badge } from "~/ui/badge";
import { ConfirmDialog } from "~/ui/confirm-dialog";
import { DialogLink } from "~/ui/dialog-link";
import type { Asked } from "~/ui/form-dialog";
import { SubmitButton } from "~/ui/submit-button";

interface Discoverable {
  slug: string;
  name: string;
  aiDiscovery: boolean;
  isDemo: boolean;
}

export const DiscoveryBadge = ({ of: { aiDiscovery, isDemo } }: { of: Discoverable }) =>
  aiDiscovery || isDemo ? <Badge tone="success">On</Badge> : <Badge>Off</Badge>;

/** Turns AI Discovery on at once, or asks before it turns it off. The demo store has no switch. */
export function DiscoverySwitch({ of: { slug, name, aiDiscovery, isDemo } }: { of: Discoverable }) {
  if (isDemo) return null;
  if (aiDiscovery) {
    return (
      <DialogLink aria-label={`Turn off AI Discovery for ${name}`} dialog="discovery-off" of={slug} size="sm">
        Turn off
      </DialogLink>
    );
  }
  return (
    <Form method="post" preventScrollReset>
      <input name="intent" type="hidden" value="discovery-on" />
      <input name="store" type="hidden" value={slug} />
      <SubmitButton aria-label={`Turn on AI Discovery for ${name}`} size="sm" variant="secondary">
        Turn on
      </SubmitButton>
    </Form>
  );
}

export function DiscoveryOffDialog({ of: { slug, name }, closeTo, errors }: Asked & { of: Discoverable }) {
  return (
    <ConfirmDialog
      closeTo={closeTo}
      confirmLabel="Turn off"
      errors={errors}
      title={`Turn off AI Discovery for ${name}?`}
      values={{ intent: "discovery-off", store: slug }}
    >
      <p>
        No AI platform can read the store from its next request on. Blocks and grants are kept for when you turn it on
        again.
      </p>
    </ConfirmDialog>
  );
}
