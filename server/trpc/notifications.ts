import * as digests from "../services/digests";
import * as notifications from "../services/notifications";
import * as unsubscribe from "../services/unsubscribe";
import { anyone, merchant, router } from "./trpc";

/** A merchant's inbox, and the digest that is mailed of it. */
export const notificationsRouter = router({
  list: merchant
    .input(notifications.ListNotifications)
    .query(({ ctx: { op }, input }) => notifications.list(op, input)),
  markRead: merchant
    .input(notifications.OneNotification)
    .mutation(({ ctx: { op }, input }) => notifications.markRead(op, input)),
  markAllRead: merchant
    .input(notifications.MarkAllRead)
    .mutation(({ ctx: { op }, input }) => notifications.markAllRead(op, input)),
  digest: merchant.query(({ ctx: { op } }) => digests.settings(op)),
  setDigest: merchant.input(digests.SetDigest).mutation(({ ctx: { op }, input }) => digests.set(op, input)),

  /** For whoever has the link of a mail. */
  peekUnsubscribe: anyone.input(unsubscribe.Unsubscribe).query(({ ctx: { op }, input }) => unsubscribe.peek(op, input)),
  unsubscribe: anyone.input(unsubscribe.Unsubscribe).mutation(({ ctx: { op }, input }) => unsubscribe.end(op, input)),
});
