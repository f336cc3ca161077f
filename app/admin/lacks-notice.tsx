import { grouped } from "~/lib/numbers";
import type { loader } from "~/routes/admin._index";
import { Banner } from "~/ui/banner";
import { Time } from "~/ui/time";

type Lacks = Awaited<ReturnType<typeof loader>>["lacks"];

/** What the installation does without, and people would notice: no demo store, mail that does not go out. */
export function LacksNotice({ demoStore, mail, sendsMail }: Lacks) {
  return (
    <>
      {(!sendsMail || mail.isLate) && (
        <Banner title={sendsMail ? "Mail is late" : "Mail is not sent: SMTP_URL is not set"} tone="warning">
          <p>
            Sign-up, forgotten passwords and invitations need it. <Waiting {...mail} /> “Mails do not come” in
            docs/operations.md says where to look.
          </p>
        </Banner>
      )}
      {demoStore && (
        <Banner title="There is no demo store" tone="warning">
          <p>
            Platforms in sandbox read nothing, and cannot request production access. Load it with{" "}
            <code className="font-mono text-[0.8125rem]">npm run aisle -- seed</code>.
          </p>
        </Banner>
      )}
    </>
  );
}

function Waiting({ waiting, since }: Lacks["mail"]) {
  if (waiting === 0) return "No mail waits yet.";
  return (
    <>
      {waiting === 1 ? "1 mail waits" : `${grouped(waiting)} mails wait`}
      {since && (
        <>
          , the oldest since <Time at={since} />
        </>
      )}
      .
    </>
  );
}
