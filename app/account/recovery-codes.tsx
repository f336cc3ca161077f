import { AskBeforeLosing, STORED } from "~/ui/ask-before-leaving";
import { Banner } from "~/ui/banner";
import { ButtonLink } from "~/ui/button";
import { CopyButton } from "~/ui/copy-button";
import { Panel } from "~/ui/panel";

/** Recovery codes, in the one response that has them. */
export const RecoveryCodes = ({ codes, isFirst }: { codes: string[]; isFirst: boolean }) => (
  <>
    {isFirst && (
      <Banner title="Two-factor authentication is on" tone="success">
        All your other sessions have ended.
      </Banner>
    )}
    <Panel
      description="Each code works once, in place of one from your app. Keep them somewhere you can reach without your phone, such as a password manager or on paper."
      footer={
        <ButtonLink state={STORED} to="/account/two-factor" variant="primary">
          I have stored them
        </ButtonLink>
      }
      title="Your recovery codes"
    >
      <div className="flex flex-col gap-5">
        <Banner title="This is the only time you will see them" tone="warning" />
        <div className="flex max-w-md items-start justify-between gap-2 rounded-md border border-line bg-sunken py-2 pr-1 pl-3">
          <ul
            aria-label="Recovery codes"
            className="grid grow gap-x-6 font-mono text-[0.8125rem] leading-6 sm:grid-cols-2"
          >
            {codes.map((code) => (
              <li className="select-all" key={code}>
                {code}
              </li>
            ))}
          </ul>
          <CopyButton label="Copy the recovery codes" text={codes.join("\n")} />
        </div>
      </div>
    </Panel>
    <AskBeforeLosing what="the recovery codes" />
  </>
);
