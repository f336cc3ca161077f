import * as invitations from "../services/invitations";
import * as merchantList from "../services/merchant-list";
import * as people from "../services/merchant-people";
import * as register from "../services/merchant-register";
import { anyone, operator, router, signedIn } from "./trpc";

/** What operators do with merchants; merchants' own procedures are `merchant.…`. */
export const merchantsRouter = router({
  list: operator.input(merchantList.ListMerchants).query(({ ctx: { op }, input }) => merchantList.list(op, input)),
  get: operator.input(register.GetMerchant).query(({ ctx: { op }, input }) => register.get(op, input)),
  create: operator.input(register.CreateMerchant).mutation(({ ctx: { op }, input }) => register.create(op, input)),
  rename: operator.input(register.RenameMerchant).mutation(({ ctx: { op }, input }) => register.rename(op, input)),

  getStore: operator.input(register.GetStore).query(({ ctx: { op }, input }) => register.getStore(op, input)),
  createStore: operator
    .input(register.RegisterStore)
    .mutation(({ ctx: { op }, input }) => register.createStore(op, input)),
  editStore: operator.input(register.EditStore).mutation(({ ctx: { op }, input }) => register.editStore(op, input)),

  people: operator.input(people.ListPeople).query(({ ctx: { op }, input }) => people.people(op, input)),
  addPerson: operator.input(people.AddPerson).mutation(({ ctx: { op }, input }) => people.add(op, input)),
  removePerson: operator.input(people.RemovePerson).mutation(({ ctx: { op }, input }) => people.remove(op, input)),

  invitations: operator
    .input(invitations.ListInvitations)
    .query(({ ctx: { op }, input }) => invitations.list(op, input)),
  invite: operator.input(invitations.SendInvitation).mutation(({ ctx: { op }, input }) => invitations.send(op, input)),
  withdrawInvitation: operator
    .input(invitations.WithdrawInvitation)
    .mutation(({ ctx: { op }, input }) => invitations.withdraw(op, input)),
});

/** What people who were invited do. */
export const invitationRouter = router({
  peek: anyone.input(invitations.PeekInvitation).query(({ ctx: { op }, input }) => invitations.peek(op, input)),
  mine: signedIn.query(({ ctx: { op } }) => invitations.mine(op)),
  accept: signedIn
    .input(invitations.AcceptInvitation)
    .mutation(({ ctx: { op }, input }) => invitations.accept(op, input)),
});
