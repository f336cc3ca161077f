// Who works for the platform. Everybody of it looks; an operator adds, renews and removes.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Mail } from "lucide-react";
import { useCurrent } from "~/console/current";
import { MembersTable } from "~/console/members-table";
import { load } from "~/lib/api.server";
import { buttonLook } from "~/ui/button";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { useSupport } from "~/ui/support";
import { TextLink } from "~/ui/text-link";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Members · Aisle" }];
export const handle = { crumb: "Members" };

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const [members, account] = await Promise.all([api.consumer.colleagues(), api.account.me()]);
    return { members, you: account!.email };
  });

export default function Members() {
  const { members, you } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        actions={<AskButton />}
        description="Owners manage keys, terms and production access. Developers and reviewers can read and use the Playground, reviewers until their last day."
        title="Members"
      />
      <Panel
        flush
        footer={
          <span>
            Operators add and remove people, change roles and renew reviewers. New people must sign up first. To give up
            your own access, <TextLink to="/account/access">leave</TextLink>.
          </span>
        }
      >
        <MembersTable may="look" members={members} you={you} />
      </Panel>
    </>
  );
}

function AskButton() {
  const { name, slug } = useCurrent();
  const href = useSupport({
    subject: `A teammate for ${name}`,
    body: [
      `Please add to ${name} (${slug}):`,
      "",
      "The address they signed up with: ",
      "Role (owner, developer or reviewer): ",
      "For a reviewer, the last day: ",
    ],
  });
  return (
    href && (
      <a className={buttonLook({})} href={href}>
        <Mail aria-hidden />
        Ask for a teammate
      </a>
    )
  );
}
