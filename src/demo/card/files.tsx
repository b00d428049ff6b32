import { useState } from "react";
import type { Attachment } from "@workspace-board-service/client";
import type { CardDetail } from "@workspace-board-service/client/store";
import { boards, messageOf } from "../base/service.ts";
import { Boundary } from "../components/boundary.tsx";
import { useQuery } from "../base/use-query.ts";

type Props = { card: CardDetail; reload: () => Promise<void> };

/** The files of a card. Images are shown. */
export function Files({ card, reload }: Props) {
  const [status, setStatus] = useState("");

  async function upload(file: File) {
    try {
      await boards.upload(card.publicId, file, {
        onProgress: (sent, size) => setStatus(`${Math.round((sent / size) * 100)} %`),
      });
      setStatus("");
      await reload();
    } catch (error) {
      setStatus(messageOf(error));
    }
  }

  return (
    <section aria-label="Files">
      {card.attachments.length > 0 && <h3>Files</h3>}
      <ul className="files">
        {card.attachments.map((attachment) => (
          <li key={attachment.publicId}>
            <Boundary name="This file">
              <FileLink attachment={attachment} />
            </Boundary>
          </li>
        ))}
      </ul>
      <label className="button quiet add">
        + Add a file
        <input
          type="file"
          className="unseen"
          aria-label="Add a file"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file !== undefined) void upload(file);
            target.value = "";
          }}
        />
      </label>
      <span role="status">{status}</span>
    </section>
  );
}

/** A link to a file: its address is signed, so that the browser can open it. */
function FileLink({ attachment }: { attachment: Attachment }) {
  const { publicId, kind, filename, contentType, url } = attachment;
  const [failure, setFailure] = useState<unknown>();
  const { data, error = failure } = useQuery(`file ${publicId}`, async (signal) =>
    kind === "link" ? url : boards.fileUrl(attachment, { signal }),
  );
  const isImage = kind === "file" && contentType.startsWith("image/");
  // The signed address may have expired since it was shown.
  const openFile = () =>
    void boards.fileUrl(attachment).then((signed) => location.assign(signed), setFailure);
  return (
    <>
      <a
        href={data}
        onClick={(event) => {
          if (kind === "link") return;
          event.preventDefault();
          openFile();
        }}
      >
        {isImage && data !== undefined && <img src={data} alt="" loading="lazy" />}
        {filename}
      </a>
      {error !== undefined && <span role="alert">{messageOf(error)}</span>}
    </>
  );
}
