// A form or a file of the console is about the platform that its page showed, whichever is looked at by now.
import type { ActionFunctionArgs } from "@remix-run/node";

/** @param consumerId as the form, or the file's address, tells it; without one it does not say @throws what `act` makes a conflict of */
export async function expectShown(api: ActionFunctionArgs["context"]["api"], consumerId: string): Promise<void> {
  if (consumerId) await api.consumer.expect({ consumerId });
}
