// A form or a file of a person's own is about the account that its page showed, whoever is logged in here by now.
import type { ActionFunctionArgs } from "@remix-run/node";

/** @param accountId as the form, or the file's address, tells it; without one it does not say @throws what `act` makes a conflict of */
export async function expectShown(api: ActionFunctionArgs["context"]["api"], accountId: string): Promise<void> {
  if (accountId) await api.account.expect({ accountId });
}
