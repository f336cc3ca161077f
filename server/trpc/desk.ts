import * as auditLog from "../services/audit-log";
import * as settings from "../services/settings";
import { operator, router } from "./trpc";

export const settingsRouter = router({
  get: operator.query(({ ctx: { op } }) => settings.get(op)),
  change: operator.input(settings.ChangeSettings).mutation(({ ctx: { op }, input }) => settings.change(op, input)),
});

export const auditRouter = router({
  vocabulary: operator.query(({ ctx: { op } }) => auditLog.vocabulary(op)),
  list: operator.input(auditLog.ListAudit).query(({ ctx: { op }, input }) => auditLog.list(op, input)),
  /** CSV, a piece at a time. */
  export: operator.input(auditLog.AuditFilter).query(({ ctx: { op }, input }) => auditLog.exportCsv(op, input)),
});
