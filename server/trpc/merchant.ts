import * as merchantStores from "../services/merchant-stores";
import * as merchants from "../services/merchants";
import * as details from "../services/own-details";
import * as loyalty from "../services/own-loyalty";
import * as policies from "../services/own-policies";
import * as products from "../services/own-products";
import * as promotions from "../services/own-promotions";
import * as stock from "../services/own-stock";
import { OwnStore } from "../services/ownership";
import { merchant, merchantsOf, requireSame, router, signedIn } from "./trpc";

/** What merchants do with their own. */
export const merchantRouter = router({
  /** The merchants that the person acts for. */
  mine: signedIn.query(({ ctx }) => merchantsOf(ctx)),
  /** Is it still the one that a form's page was about? @throws DomainError conflict */
  expect: merchant
    .input(merchants.ChooseMerchant)
    .query(({ ctx: { op }, input }) => requireSame(op.actor.merchantId, input.merchantId)),
  choose: signedIn
    .input(merchants.ChooseMerchant)
    .mutation(({ ctx: { op, visitor }, input }) => merchants.choose(op, { ...input, sessionId: visitor.session.id })),
  current: merchant.query(({ ctx: { op } }) => merchants.current(op)),
  stores: merchant
    .input(merchantStores.ListOwnStores)
    .query(({ ctx: { op }, input }) => merchantStores.list(op, input)),
  storeChoices: merchant
    .input(merchantStores.ChooseStore)
    .query(({ ctx: { op }, input }) => merchantStores.choices(op, input)),
  store: merchant.input(OwnStore).query(({ ctx: { op }, input }) => merchantStores.get(op, input)),
  setDiscovery: merchant
    .input(merchantStores.SetDiscovery)
    .mutation(({ ctx: { op }, input }) => merchantStores.setDiscovery(op, input)),

  details: merchant.input(OwnStore).query(({ ctx: { op }, input }) => details.get(op, input)),
  saveDetails: merchant.input(details.SaveDetails).mutation(({ ctx: { op }, input }) => details.save(op, input)),

  products: merchant.input(products.ListOwnProducts).query(({ ctx: { op }, input }) => products.list(op, input)),
  setExcluded: merchant
    .input(products.SetExcluded)
    .mutation(({ ctx: { op }, input }) => products.setExcluded(op, input)),

  promotions: merchant
    .input(promotions.ListOwnPromotions)
    .query(({ ctx: { op }, input }) => promotions.list(op, input)),
  savePromotion: merchant
    .input(promotions.SavePromotion)
    .mutation(({ ctx: { op }, input }) => promotions.save(op, input)),
  endPromotion: merchant
    .input(promotions.PromotionAsShown)
    .mutation(({ ctx: { op }, input }) => promotions.end(op, input)),
  removePromotion: merchant
    .input(promotions.PromotionAsShown)
    .mutation(({ ctx: { op }, input }) => promotions.remove(op, input)),

  programs: merchant.input(OwnStore).query(({ ctx: { op }, input }) => loyalty.list(op, input)),
  saveProgram: merchant.input(loyalty.SaveProgram).mutation(({ ctx: { op }, input }) => loyalty.save(op, input)),
  removeProgram: merchant.input(loyalty.RemoveProgram).mutation(({ ctx: { op }, input }) => loyalty.remove(op, input)),

  stock: merchant.input(OwnStore).query(({ ctx: { op }, input }) => stock.get(op, input)),
  uploadStock: merchant.input(stock.UploadStock).mutation(({ ctx: { op }, input }) => stock.upload(op, input)),
  removeStock: merchant.input(stock.RemoveStock).mutation(({ ctx: { op }, input }) => stock.remove(op, input)),

  policies: merchant.input(OwnStore).query(({ ctx: { op }, input }) => policies.list(op, input)),
  savePolicy: merchant.input(policies.SavePolicy).mutation(({ ctx: { op }, input }) => policies.save(op, input)),
  removePolicy: merchant.input(policies.RemovePolicy).mutation(({ ctx: { op }, input }) => policies.remove(op, input)),
});
