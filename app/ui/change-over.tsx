import { Form } from "@remix-run/react";
import { ButtonLink } from "./button";
import { PageHeader } from "./page-header";
import { SubmitButton } from "./submit-button";

/** What a link is about that is not what its reader looks at: they change over to it with a button, or stay. */
export function ChangeOver({
  now,
  other,
  field,
  to,
  home,
}: {
  /** The name of what is on show. */
  now: string;
  other: { id: string; name: string };
  /** As which the other one's id is sent to this page. */
  field: string;
  /** Where the link leads. */
  to: string;
  home: string;
}) {
  return (
    <>
      <PageHeader
        description={`The link you followed is about ${other.name}, but you are viewing ${now}. Pages of ${now} that are open elsewhere in this browser will show ${other.name} too.`}
        title={`Switch to ${other.name}?`}
      />
      <Form className="flex flex-wrap gap-3" method="post">
        <input name="redirectTo" type="hidden" value={to} />
        <input name={field} type="hidden" value={other.id} />
        <SubmitButton>Switch</SubmitButton>
        <ButtonLink to={home}>Stay with {now}</ButtonLink>
      </Form>
    </>
  );
}
