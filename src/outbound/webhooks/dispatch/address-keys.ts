import { networkOf } from "../../../kernel/request/network.ts";
import { isInSubnets, type DestinationPolicy } from "../../../platform/http/address-guard.ts";
import { maxAddresses } from "../../../platform/http/outgoing.ts";

/** A receiver with its addresses. */
export type ResolvedDestination = { url: URL; addresses: string[] };

/**
 * The keys by which the addresses of a receiver are limited.
 *
 * A public address counts with all its ports. Inside an allowed subnet, one address of the
 * operator's own network can serve many receivers, so that its ports count by themselves.
 */
export const addressKeys = (
  { url, addresses }: ResolvedDestination,
  { allowedSubnets }: DestinationPolicy,
): string[] => [
  ...new Set(
    addresses
      .slice(0, maxAddresses)
      .map((address) =>
        isInSubnets(address, allowedSubnets)
          ? `${address} ${url.port || url.protocol}`
          : networkOf(address),
      ),
  ),
];
