import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import { badRequest, Failure } from "../errors.ts";
import type { RequestBody } from "./byte-body.ts";

/** A form is one file, and its name in a part before it. */
const limits = {
  files: 1,
  fields: 4,
  parts: 5,
  fieldSize: 16_000,
  headerPairs: 20,
  headerSize: 8_192,
};

const invalid = (problem: string) =>
  badRequest("form_invalid", `The form is invalid: ${problem} Send one part with the file.`);

/** Whether a body is a form with a file (RFC 7578). */
export const isForm = (contentType: string | undefined): boolean =>
  /^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType ?? "");

/** A form's file as the body, and the name that the form gives it. */
type FormFile = { body: RequestBody; filename: string | undefined };

/** Reads a form up to its file. Throws 400 for a form that is broken or has not just one file. */
export async function fileOfForm(form: RequestBody): Promise<FormFile> {
  const source = Readable.from(form.bytes);
  const parser = parserOf(form.contentType);
  let file: BusboyFileStream | undefined;
  let nameField: string | undefined;
  const refuse = (problem: string) => void parser.destroy(invalid(problem));
  parser.on("filesLimit", () => refuse("it has more than one file."));
  parser.on("fieldsLimit", () => refuse("it has too many fields."));
  parser.on("partsLimit", () => refuse("it has too many parts."));
  parser.on("field", (name, value, isNameCut, isCut) => {
    if (name !== "filename")
      refuse(`the part ${JSON.stringify(name)} is text, without the filename of a file.`);
    else if (isNameCut || isCut) refuse("its filename is too long.");
    else nameField = value;
  });
  const begun = new Promise<FormFile>((resolve) => {
    parser.on("file", (_name, stream, filename, _encoding, contentType) => {
      file = stream;
      // Nobody reads it, or handles its error, before the caller is authorized.
      stream.on("error", () => undefined);
      const name = nameField ?? (filename === "" ? undefined : filename);
      const bytes = bytesOf(stream);
      const body = { length: undefined, contentType, digest: undefined, bytes };
      resolve({ body, filename: name });
    });
  });
  const ended = pipeline(source, parser).catch((error: unknown) => {
    const failure = error instanceof Failure ? error : invalid("it is damaged or cut off.");
    file?.destroy(failure);
    throw failure;
  });
  async function* bytesOf(stream: BusboyFileStream) {
    try {
      yield* bytesIn(stream);
      // The form may still be invalid after the file: then the file is not stored.
      await ended;
    } catch (error) {
      throw error instanceof Failure ? error : await ended.then(() => error);
    } finally {
      source.destroy();
    }
  }
  const noFile = ended.then(() => {
    throw invalid("it has no file.");
  });
  noFile.catch(() => undefined);
  return Promise.race([begun, noFile]);
}

async function* bytesIn(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield chunk;
}

function parserOf(contentType = "") {
  try {
    return new Busboy({ headers: { "content-type": contentType }, limits, preservePath: true });
  } catch {
    throw invalid("its Content-Type has no usable boundary.");
  }
}
