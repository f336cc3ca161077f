import { CircleCheck, CircleX, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { grouped } from "~/lib/numbers";
import type { loader } from "~/routes/account.delete";

type Effects = Awaited<ReturnType<typeof loader>>["effects"];

/** What goes and what stays when the account is deleted, thing by thing. */
export function DeletionEffects({ effects: { consumers, merchants, operator } }: { effects: Effects }) {
  return (
    <ul className="flex flex-col gap-3 text-sm leading-6">
      <Effect icon={CircleX} lost>
        Your name, email address, password and sessions are erased. This cannot be undone.
      </Effect>
      {consumers.map(({ id, name, role, state, effect, keys }) =>
        effect === "access_revoked" ? (
          <Effect icon={CircleX} key={id} lost>
            <strong className="font-medium">{name}</strong> {lossOf(state, keys)}
          </Effect>
        ) : (
          <Effect icon={CircleCheck} key={id}>
            <strong className="font-medium">{name}</strong> continues without you as its {role}
            {keys > 0 && "; its keys keep working"}.
          </Effect>
        ),
      )}
      {merchants.map(({ id, name, last }) => (
        <Effect icon={last ? CircleX : CircleCheck} key={id} lost={last}>
          <strong className="font-medium">{name}</strong>
          {last
            ? " is left with no one to manage its stores until an operator adds someone. AI agents read them as before."
            : " continues with the others who act for it."}
        </Effect>
      ))}
      {operator && (
        <Effect icon={operator.last ? CircleX : CircleCheck} lost={operator.last}>
          {operator.last
            ? "You are the last operator. Applications and requests for production wait until another one is made on the command line."
            : "The other operators continue without you."}
        </Effect>
      )}
      <Effect icon={CircleCheck}>Your past activity stays on record, under an id that no longer identifies you.</Effect>
    </ul>
  );
}

/** What becomes of a platform with its last owner. */
function lossOf(state: string | null, keys: number): string {
  if (state === "revoked") return "has no access already; with you, its last owner leaves.";
  if (state === "under_review") return "is no longer reviewed, because you are its last owner.";
  return `loses access, because you are its last owner. ${keysOf(keys)}`;
}

function keysOf(count: number): string {
  if (count === 0) return "It has no working keys.";
  return count === 1
    ? "Its one working key stops working immediately."
    : `Its ${grouped(count)} working keys stop working immediately.`;
}

const Effect = ({ icon: Icon, lost = false, children }: { icon: LucideIcon; lost?: boolean; children: ReactNode }) => (
  <li className="flex items-start gap-3">
    <Icon aria-hidden className={lost ? "mt-1 size-4 shrink-0 text-danger" : "mt-1 size-4 shrink-0 text-success"} />
    <span className="wrap-anywhere min-w-0 text-pretty">{children}</span>
  </li>
);
