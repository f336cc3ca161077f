// A file that was changed on disk since it was chosen: browsers refuse to read it, and call that a failure of the network.
import { type RefObject, useEffect, useState } from "react";

const CHANGED = "file-changed";

/** Empties each file field whose file can no longer be read, and has it say why. @returns whether there was one */
export async function emptyChangedFiles(): Promise<boolean> {
  let isAny = false;
  for (const input of document.querySelectorAll<HTMLInputElement>("input[type=file]")) {
    const file = input.files?.[0];
    const isReadable = await file
      ?.slice(0, 1)
      .arrayBuffer()
      .then(Boolean, () => false);
    if (isReadable !== false) continue;
    input.value = "";
    input.dispatchEvent(new Event(CHANGED));
    isAny = true;
  }
  return isAny;
}

/** What a file field says, from when its file was found changed until another is chosen; it has the focus then. */
export function useChangedFile(field: RefObject<HTMLInputElement | null>): string | undefined {
  const [isChanged, setChanged] = useState(false);
  useEffect(() => {
    const input = field.current;
    const onChanged = () => {
      setChanged(true);
      input?.focus();
    };
    const onChosen = () => setChanged(false);
    input?.addEventListener(CHANGED, onChanged);
    input?.addEventListener("change", onChosen);
    return () => {
      input?.removeEventListener(CHANGED, onChanged);
      input?.removeEventListener("change", onChosen);
    };
  }, [field]);
  return isChanged ? "The file has changed since it was chosen. Choose it again." : undefined;
}
