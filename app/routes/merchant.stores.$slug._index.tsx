// What a store says of itself, its figures, and the switch.
import type { ActionFunctionArgs } from "@remix-run/node";
import { useActionData } from "@remix-run/react";
import { Fragment, type ReactNode } from "react";
import { useDialogParams } from "~/lib/dialog";
import { noIntent, typed } from "~/lib/form.server";
import { grouped } from "~/lib/numbers";
import { catalogueOf } from "~/merchant/catalogue";
import { DiscoveryOffDialog, DiscoverySwitch } from "~/merchant/discovery";
import { setDiscovery } from "~/merchant/discovery.server";
import { LastLoad } from "~/merchant/last-load";
import { notes } from "~/merchant/notes";
import { useStore } from "~/merchant/store";
import { storeTitle } from "~/merchant/store-title";
import { ButtonLink } from "~/ui/button";
import { DoneNote } from "~/ui/done-note";
import { Dotted } from "~/ui/dotted";
import { Facts } from "~/ui/facts";
import { Panel } from "~/ui/panel";
import { Refusal } from "~/ui/refusal";
import { Stat, Stats } from "~/ui/stat";
import { TextLink } from "~/ui/text-link";
import { Time } from "~/ui/time";

export { keepPage as clientAction } from "~/lib/keep-page";

export const meta = storeTitle();

export async function action(args: ActionFunctionArgs) {
  const { intent } = await typed(args.request, "intent");
  if (intent === "discovery-on" || intent === "discovery-off") {
    return setDiscovery(args, args.params.slug!, intent === "discovery-on");
  }
  throw noIntent();
}

export default function StoreFacts() {
  const store = useStore();
  const answer = useActionData<typeof action>();
  const { dialog, closeTo } = useDialogParams();
  const isAsked = dialog === "discovery-off" && store.aiDiscovery;
  const { slug, products, excluded, platforms, lastLoad, underWay, feed } = store;
  return (
    <>
      {!answer && <DoneNote notes={notes} />}
      {!isAsked && <Refusal errors={answer?.errors} />}
      <Stats>
        <Stat
          detail={
            excluded > 0 ? `${grouped(excluded)} excluded` : products > 0 ? all(store) : "Agents find nothing here yet"
          }
          label="Products"
          value={grouped(products)}
        />
        <Stat
          detail={<TextLink to={`/merchant/agents?store=${slug}`}>See which can read it</TextLink>}
          label="Platforms"
          value={grouped(platforms)}
        />
        <Stat
          detail={<TextLink to={catalogueOf(store.id)}>Go to the catalogue</TextLink>}
          label="Last catalogue load"
          value={
            <LastLoad feed={feed} never={<span className="text-faint">Never</span>} of={lastLoad} underWay={underWay} />
          }
        />
      </Stats>
      <Panel actions={<DiscoverySwitch of={store} />} description={meaning(store)} title="AI Discovery" />
      <Panel
        actions={
          <ButtonLink size="sm" to={`/merchant/stores/${slug}/details`}>
            Edit details
          </ButtonLink>
        }
        description="What agents are told about the store."
        footer="The operator maintains names, website, country, currency, languages, categories, description, logo and contact. The rest is yours to edit."
        title="Profile"
      >
        <Facts facts={profile(store)} />
      </Panel>
      {isAsked && <DiscoveryOffDialog closeTo={closeTo} errors={answer?.errors} of={store} />}
    </>
  );
}

const all = ({ isDemo, aiDiscovery }: ReturnType<typeof useStore>) =>
  isDemo || aiDiscovery ? "Agents can find all of them" : "None excluded";

function meaning({ isDemo, aiDiscovery }: ReturnType<typeof useStore>): string {
  if (isDemo) return "This is the demo store: every platform may read it, in sandbox too, so there is no switch.";
  return aiDiscovery
    ? "On: platforms in production can read the store, unless you block them."
    : "Off: no platform can read the store.";
}

function profile(store: ReturnType<typeof useStore>): [string, ReactNode][] {
  const { address, contactPoint, returnPolicy, links } = store;
  const all: [string, ReactNode | null | undefined][] = [
    ["Legal name", store.legalName],
    ["Website", store.url],
    ["Description", store.description],
    ["Address", address && inPieces(inOrder(address, addressLines))],
    ["Contact", contactPoint && dotted(inOrder(contactPoint, ["email", "phone", "url"]))],
    ["Currencies", store.currencies.join(", ")],
    ["Languages", store.languages.join(", ")],
    ["Categories", store.categories.join(", ")],
    ["Payment", store.paymentAccepted.join(", ")],
    [
      "Opening hours",
      store.openingHours.length > 0 && (
        <ul className="flex flex-col gap-0.5">
          {store.openingHours.map(({ day, hours }) => (
            <li className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-4" key={day}>
              <span className="text-muted">{`${day.slice(0, 1).toUpperCase()}${day.slice(1)}`}</span>{" "}
              <span className="tabular-nums">{hours}</span>
            </li>
          ))}
        </ul>
      ),
    ],
    ["Shipping", store.shippingPolicy],
    ["Returns", returnPolicy && returns(returnPolicy)],
    [
      "Other pages",
      links.length > 0 && (
        <ul className="flex flex-col gap-1 sm:gap-0.5">
          {links.map(({ type, url }) => (
            <li className="grid gap-x-4 sm:grid-cols-[6rem_minmax(0,1fr)]" key={`${type} ${url}`}>
              <span className="block text-muted first-letter:uppercase">
                {type === "faq" ? "FAQ" : type.replaceAll("_", " ")}
              </span>{" "}
              <span>{url.replace(/^https?:\/\//, "")}</span>
            </li>
          ))}
        </ul>
      ),
    ],
    ["As of", <Time at={store.updatedAt} key="as-of" />],
  ];
  return all.filter((fact): fact is [string, ReactNode] => Boolean(fact[1]));
}

const addressLines = [
  "street_address",
  "address_locality",
  "address_region",
  "postal_code",
  "address_country",
] as const;

const inOrder = <Key extends string>(of: Partial<Record<Key, string>>, names: readonly Key[]): string[] =>
  names.flatMap((name) => of[name] || []);

const dotted = (all: string[]): ReactNode => all.length > 0 && <Dotted>{all}</Dotted>;

/** With commas; a line ends between two, unless one alone is longer. */
const inPieces = (all: string[]): ReactNode =>
  all.length > 0 &&
  all.map((one, index) => (
    <Fragment key={one}>
      <span className="inline-block">{index < all.length - 1 ? `${one},` : one}</span>{" "}
    </Fragment>
  ));

const returns = ({
  return_window_days: days,
  fees,
  method,
  url,
}: NonNullable<ReturnType<typeof useStore>["returnPolicy"]>) =>
  dotted([
    ...(days === undefined ? [] : [days === 0 ? "No returns" : `${days} ${days === 1 ? "day" : "days"}`]),
    ...[fees, method, url].flatMap((one) => one || []),
  ]);
