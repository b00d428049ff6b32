import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import type { Round } from "./measure.ts";

/** Another server that the cases run on. An adapter file exports a list of them as its default. */
export type Peer = {
  name: string;
  origin: string;
  /** The bearer token of its calls; empty when they carry their own headers. */
  token: string;
  /** Creates the data of a case there; undefined for a case that the server does not have. */
  prepare(caseName: string): Promise<Round | undefined>;
};

/** Reads the peers of an adapter file; an empty list without one. */
export async function readPeers(file: string | undefined): Promise<Peer[]> {
  if (file === undefined) return [];
  const { default: peers } = await import(pathToFileURL(resolve(file)).href);
  return peers;
}
