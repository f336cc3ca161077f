INSERT INTO "settings" DEFAULT VALUES;--> statement-breakpoint
INSERT INTO "terms" ("version", "body") VALUES ('2026-09-26', $terms$# Aisle data-use terms

Version 2026-09-26

1. **What you may read.** Your key gives you the catalogue data of the stores on your Coverage page: products, prices, availability, offers, promotions, loyalty programmes, policies and, where your scopes allow it, exact inventory. A merchant may end your access to its store at any time.

2. **What it is for.** You may use the data to answer the shopper who asked, in the product that you named in your application. You may not sell it, publish it as a data set, train models on it, or use it to set prices.

3. **Keep it fresh.** Prices and stock change. Show them as of the time in `data_as_of`, keep no copy for longer than 24 hours, and ask again before you state a price.

4. **Link as given.** Use `product_url` unchanged. It is the merchant's own page, and the parameters in it credit your platform. Checkout happens on the merchant's site alone.

5. **Be fair to merchants.** Do not alter titles, prices or conditions of sale, do not imply that a merchant endorses you, and do not hide that an offer is sponsored when it is.

6. **Respect people.** Send no names, addresses or other personal data of shoppers in tool arguments. What you send in `_meta` is used for usage reporting only: sessions are kept as keyed hashes, places no finer than a city.

7. **Keep keys secret.** A key belongs in your server's configuration, never in a page, an app or a repository. Revoke a key that leaked; adding keys adds no throughput.

8. **Changes.** A new version of these terms is announced in the console. Existing keys keep working; new keys and rotations wait until an owner of the consumer has accepted it.
$terms$);
