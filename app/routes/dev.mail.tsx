// What was "sent" where no mail server is set up: on loopback only, never in production.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Inbox } from "lucide-react";
import { Fragment } from "react";
import { PlainPage } from "~/console/plain-page";
import { load } from "~/lib/api.server";
import { useLookAgain } from "~/lib/look-again";
import { EmptyState } from "~/ui/empty-state";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { Time } from "~/ui/time";

export const meta: MetaFunction = () => [{ title: "Emails from this installation · Aisle" }];

const LOOK_AGAIN_MS = 3_000;

export async function loader(args: LoaderFunctionArgs) {
  const { localMail } = args.context;
  if (!localMail) throw new Response(null, { status: 404 });
  const [account, mails] = await load(args, (api) => Promise.all([api.account.me(), localMail()]));
  return {
    account,
    mails: mails.map(({ id, at, to, subject, text, links }) => ({ id, at, to, subject, text, links })),
  };
}

export default function LocalMail() {
  const { account, mails } = useLoaderData<typeof loader>();
  useLookAgain(LOOK_AGAIN_MS);
  return (
    <PlainPage account={account}>
      <PageHeader
        description="No mail server is set up (SMTP_URL), so emails are kept here instead of being sent: the last fifty, newest first. Only this machine can see the page, and never in production."
        title="Emails from this installation"
      />
      {mails.length === 0 ? (
        <Panel flush>
          <EmptyState icon={Inbox} title="No emails yet">
            Sign up or reset your password, and the email appears here within a few seconds.
          </EmptyState>
        </Panel>
      ) : (
        mails.map(({ id, at, to, subject, text, links }) => (
          <Panel
            actions={
              <span className="text-[0.8125rem] text-muted">
                <Time at={at} />
              </span>
            }
            description={<span className="wrap-anywhere">To {to}</span>}
            flush
            key={id}
            title={subject}
          >
            <p className="wrap-anywhere whitespace-pre-wrap p-4 text-sm leading-6 md:p-6">
              <Linked links={links} text={text.trimEnd()} />
            </p>
          </Panel>
        ))
      )}
    </PlainPage>
  );
}

/** The text with its links to follow: on the host of this very page, whose cookies count. */
function Linked({ text, links }: { text: string; links: string[] }) {
  const [first, ...rest] = links;
  if (first === undefined) return text;
  const { pathname, search } = new URL(first);
  return text.split(first).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, which never changes
    <Fragment key={index}>
      {index > 0 && (
        <a className="rounded text-accent underline underline-offset-4" href={pathname + search}>
          {first}
        </a>
      )}
      <Linked links={rest} text={part} />
    </Fragment>
  ));
}
