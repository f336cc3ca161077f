// Which addresses a feed may be fetched from: what anybody on the internet can reach, and nothing of ours.
import ipaddr from "ipaddr.js";

/** May a connection go to this IP address? */
export type AddressRule = (address: string) => boolean;

const globalUnicast = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number];

/** Azure's host, which tells every virtual machine its secrets: the one such place that is no range of its own. */
const azureHost = "168.63.129.16";

/**
 * False for private, loopback, link-local (cloud metadata), shared (CGNAT), multicast, reserved and documentation
 * addresses, and for IPv6 that only wraps an IPv4 address, unless that is public itself.
 */
export const isPublic: AddressRule = (address) => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicast)) return false;
  return parsed.range() === "unicast" && parsed.toString() !== azureHost;
};
