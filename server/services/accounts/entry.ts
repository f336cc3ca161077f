// Who has shown a password, or a link to the account's own mailbox: logged in, or asked for a code besides.
import { and, eq, isNotNull } from "drizzle-orm";
import type { Database } from "../../../db/client";
import { secondFactors } from "../../../db/schema/accounts";
import type { Ctx } from "../../context";
import * as tokens from "./tokens";

/** Who logged in; the door opens the session with it (`sessions.create`). */
export interface LoggedIn {
  id: string;
  name: string;
  email: string;
  passwordVersion: number;
}

/** A log-in that waits for a code (`finishLogIn`). */
export interface AwaitsCode {
  /** For this browser alone, for ten minutes. */
  token: string;
}

/** This browser's name, if the account as it stands was logged in with it (`sessions.knownDevice`). */
export type KnownDevice = (account: Pick<LoggedIn, "email" | "passwordVersion">) => string | undefined;

/** What the door does with somebody who may come in; whoever has a second factor shows that first. */
export async function enter(ctx: Ctx, tx: Database, account: LoggedIn): Promise<LoggedIn | AwaitsCode> {
  const { id, name, email, passwordVersion } = account;
  const [factor] = await tx
    .select({ accountId: secondFactors.accountId })
    .from(secondFactors)
    .where(and(eq(secondFactors.accountId, id), isNotNull(secondFactors.enabledAt)));
  if (!factor) return { id, name, email, passwordVersion };
  return { token: await tokens.mint(ctx, tx, { accountId: id, purpose: "log_in", email }) };
}
