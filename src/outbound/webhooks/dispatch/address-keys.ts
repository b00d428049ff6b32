import { networkOf } from "../../../kernel/request/network.ts";
import { isInSubnets, type TargetPolicy } from "../../../platform/http/address-guard.ts";
import { maxAddresses } from "../../../platform/http/outgoing.ts";

/** A target with its addresses. */
export type ResolvedTarget = { url: URL; addresses: string[] };

/**
 * The keys by which the addresses of a target are limited.
 *
 * A public address counts with all its ports. Inside an allowed subnet, one address of the
 * operator's own network can serve many targets, so that its ports count by themselves.
 */
export const addressKeys = (
  { url, addresses }: ResolvedTarget,
  { allowedSubnets }: TargetPolicy,
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
