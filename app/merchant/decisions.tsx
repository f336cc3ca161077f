// Block and unblock, grant and withdraw: what takes access away asks first, what gives it is done at once.
import { Form } from "@remix-run/react";
import { ConfirmDialog } from "~/ui/confirm-dialog";
import { DialogLink } from "~/ui/dialog-link";
import type { Asked } from "~/ui/form-dialog";
import { SubmitButton } from "~/ui/submit-button";
import type { Standing } from "./standing";

interface Decidable {
  slug: string;
  name: string;
  standing: Standing;
  coverage: "default_on" | "explicit";
  granted: boolean;
}

const isOpen = ({ standing }: Decidable) => standing === "reading" || standing === "discovery_off";

/** What may be decided of a platform now. */
export function Decisions({ of, store, size = "sm" }: { of: Decidable; store: string; size?: "sm" | "md" }) {
  const { slug, name, standing, coverage, granted } = of;
  return (
    <span className="flex flex-wrap gap-2 cards:justify-end">
      {standing === "blocked" && (
        <Now intent="unblock" label="Unblock" name={name} platform={slug} size={size} store={store} />
      )}
      {standing === "not_granted" && (
        <Now intent="grant" label="Grant access" name={name} platform={slug} size={size} store={store} />
      )}
      {coverage === "explicit" && granted && standing !== "ended" && (
        <Asks dialog="withdraw" label="Withdraw grant" name={name} platform={slug} size={size} />
      )}
      {isOpen(of) && <Asks dialog="block" label="Block" name={name} platform={slug} size={size} />}
    </span>
  );
}

interface Act {
  label: string;
  name: string;
  platform: string;
  size: "sm" | "md";
}

const Now = ({ intent, label, name, platform, store, size }: Act & { intent: string; store: string }) => (
  <Form method="post" preventScrollReset>
    <input name="intent" type="hidden" value={intent} />
    <input name="platform" type="hidden" value={platform} />
    <input name="store" type="hidden" value={store} />
    <SubmitButton aria-label={`${label}: ${name}`} size={size} variant={size === "sm" ? "secondary" : "primary"}>
      {label}
    </SubmitButton>
  </Form>
);

const Asks = ({ dialog, label, name, platform, size }: Act & { dialog: string }) => (
  <DialogLink aria-label={`${label}: ${name}`} dialog={dialog} of={platform} size={size}>
    {label}
  </DialogLink>
);

type Decision = "block" | "withdraw";

/** Which of the dialogs the address opens, as long as there is that to decide. */
export function askedOf(dialog: string | null, of: Decidable | undefined): Decision | undefined {
  if (dialog === "block" && of && isOpen(of)) return dialog;
  return dialog === "withdraw" && of?.granted ? dialog : undefined;
}

export function DecisionDialog({
  of: { slug, name },
  dialog,
  closeTo,
  store,
  storeName,
  errors,
}: Asked & {
  of: Decidable;
  dialog: Decision;
  store: string;
  storeName: string;
}) {
  if (dialog === "block") {
    return (
      <ConfirmDialog
        closeTo={closeTo}
        confirmLabel="Block"
        errors={errors}
        title={`Block ${name} from ${storeName}?`}
        values={{ intent: "block", platform: slug, store }}
      >
        <p>
          From its next request, {name} is told that {storeName} is not available, but not why. You can unblock it at
          any time.
        </p>
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      closeTo={closeTo}
      confirmLabel="Withdraw"
      errors={errors}
      title={`Withdraw ${name}'s access to ${storeName}?`}
      values={{ intent: "withdraw", platform: slug, store }}
    >
      <p>
        {name} reads only stores that are granted to it. From its next request, it is told that {storeName} is not
        available. You can grant it again at any time.
      </p>
    </ConfirmDialog>
  );
}
