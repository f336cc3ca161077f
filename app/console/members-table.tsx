import type { loader } from "~/routes/console.members";
import { Badge } from "~/ui/badge";
import { DialogLink } from "~/ui/dialog-link";
import { type Column, Table } from "~/ui/table";
import { Time } from "~/ui/time";

export type Member = Awaited<ReturnType<typeof loader>>["members"][number];

export const roles = { owner: "Owner", developer: "Developer", reviewer: "Reviewer" };

const about = (you: string | undefined): Column<Member>[] => [
  {
    header: "Person",
    cell: ({ name, email }) => (
      <span className="flex flex-col">
        <span className="wrap-anywhere font-medium">
          {name}
          {email === you && (
            <>
              {" "}
              <span className="font-normal text-muted">(you)</span>
            </>
          )}
        </span>
        <span className="wrap-anywhere text-[0.8125rem] text-muted">{email}</span>
      </span>
    ),
  },
  { header: "Role", cell: ({ role }) => roles[role] },
  { header: "Since", cell: ({ grantedAt }) => <Time at={grantedAt} /> },
  {
    header: "Ends",
    cell: (member) => <Ends {...member} />,
  },
];

/** When a reviewer's access ends, or ended. */
export const Ends = ({ endsAt, hasEnded }: Pick<Member, "endsAt" | "hasEnded">) =>
  hasEnded ? (
    <span className="inline-flex items-center gap-2">
      <Badge tone="warning">Ended</Badge>
      <Time at={endsAt} />
    </span>
  ) : (
    <Time at={endsAt} fallback="Does not end" />
  );

/** They stay one, until there is another. */
export const isLastOwner = ({ role }: Member, members: Member[]): boolean =>
  role === "owner" && members.filter((member) => member.role === "owner").length === 1;

const actions = (members: Member[]): Column<Member> => ({
  header: "Actions",
  quiet: true,
  align: "right",
  cell: (member) => {
    if (isLastOwner(member, members)) return <span className="text-muted">Last owner</span>;
    const { accountId, name, role } = member;
    return (
      <>
        {role === "reviewer" && (
          <DialogLink aria-label={`Renew ${name}`} dialog="renew" of={accountId} size="sm">
            Renew
          </DialogLink>
        )}
        <DialogLink aria-label={`Change role of ${name}`} dialog="role" of={accountId} size="sm">
          Change role
        </DialogLink>
        <DialogLink aria-label={`Remove ${name}`} dialog="remove" of={accountId} size="sm">
          Remove
        </DialogLink>
      </>
    );
  },
});

/**
 * Everybody of a consumer, those whose access has ended too.
 * @param you the address of whoever looks, where they are one of them
 */
export const MembersTable = ({ members, you, may }: { members: Member[]; you?: string; may: "look" | "manage" }) => (
  <Table
    caption="Members"
    columns={may === "look" ? about(you) : [...about(you), actions(members)]}
    rowKey={({ accountId }) => accountId}
    rows={members}
  />
);
