// The form's templates in the look of app/ui: react-jsonschema-form says what there is, these say how it looks.
import type {
  ArrayFieldItemTemplateProps,
  ArrayFieldTemplateProps,
  FieldTemplateProps,
  ObjectFieldTemplateProps,
  TemplatesType,
} from "@rjsf/utils";
import { ChevronRight, Plus, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "~/ui/button";
import { FieldError } from "~/ui/field";
import { BaseInput } from "./form-widgets";

/** Label, control, hint, error. Groups and lists bring their own frame. */
function FieldTemplate({
  id,
  label,
  rawDescription,
  rawErrors,
  required,
  children,
  schema,
  displayLabel,
}: FieldTemplateProps) {
  const isGroup = schema.type === "object" || (schema.type === "array" && displayLabel === false);
  if (isGroup) return children;
  const isItem = /_\d+$/.test(id);
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      {!isItem && <Label htmlFor={id} name={label} required={required} />}
      {children}
      <FieldError id={`${id}__error`}>{rawErrors?.[0]}</FieldError>
      {!isItem && <Hint id={`${id}__hint`}>{rawDescription}</Hint>}
    </div>
  );
}

function Label({ name, htmlFor, required }: { name: string; htmlFor?: string; required?: boolean }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <label className="font-medium font-mono text-[0.8125rem]" htmlFor={htmlFor}>
        {name}
      </label>
      {required && <span className="text-faint text-xs">Required</span>}
    </div>
  );
}

const Hint = ({ id, children }: { id?: string; children?: string }) =>
  children ? (
    <p className="text-pretty text-faint text-xs leading-5" id={id}>
      {children}
    </p>
  ) : null;

/** The arguments themselves, or a group of them that folds. */
function ObjectFieldTemplate({
  fieldPathId,
  title,
  description,
  properties,
  formData,
  schema,
  required,
}: ObjectFieldTemplateProps) {
  const fields = (
    <div className="flex min-w-0 flex-col gap-5">
      {properties.map(({ content, name }) => (
        <div key={name}>{content}</div>
      ))}
    </div>
  );
  if (fieldPathId.path.length === 0) return fields;
  if (typeof fieldPathId.path.at(-1) === "number") return fields;
  const hint = schema.description ?? (typeof description === "string" ? description : undefined);
  return (
    <Group hint={hint} isFilled={Object.keys(formData ?? {}).length > 0} required={required ?? false} title={title}>
      {fields}
    </Group>
  );
}

function Group({
  title,
  hint,
  required,
  isFilled,
  children,
}: {
  title: string;
  hint: string | undefined;
  required: boolean;
  isFilled: boolean;
  children: ReactNode;
}) {
  // What was filled once stays open: it may be emptied to be filled otherwise.
  const [wasFilled, setWasFilled] = useState(isFilled);
  if (isFilled && !wasFilled) setWasFilled(true);
  return (
    <details className="min-w-0 rounded-md border border-line" open={wasFilled || required}>
      <summary className="flex min-h-9 items-center gap-2 rounded-md px-3 py-1.5 hover:bg-raised [details[open]>&>svg]:rotate-90">
        <ChevronRight aria-hidden className="size-4 shrink-0 text-faint" />
        <span className="font-medium font-mono text-[0.8125rem]">{title}</span>
        {required && <span className="ml-auto text-faint text-xs">Required</span>}
      </summary>
      <div className="flex flex-col gap-5 border-line border-t p-3">
        <Hint>{hint}</Hint>
        {children}
      </div>
    </details>
  );
}

function ArrayFieldTemplate({
  title,
  schema,
  items,
  canAdd,
  onAddClick,
  required,
  rawErrors,
  fieldPathId,
}: ArrayFieldTemplateProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 flex w-full items-baseline justify-between gap-4">
        <span className="font-medium font-mono text-[0.8125rem]">{title}</span>
        {required && <span className="text-faint text-xs">Required</span>}
      </legend>
      {items}
      {canAdd && (
        <Button className="self-start" icon={<Plus aria-hidden />} onClick={onAddClick} size="sm">
          Add to {title}
        </Button>
      )}
      <FieldError id={`${fieldPathId.$id}__error`}>{rawErrors?.[0]}</FieldError>
      <Hint>{schema.description}</Hint>
    </fieldset>
  );
}

function ArrayFieldItemTemplate({ children, buttonsProps, index, schema }: ArrayFieldItemTemplateProps) {
  const isGroup = schema.type === "object";
  const list = buttonsProps.fieldPathId.path.slice(0, -1).join(".");
  return (
    <div
      className={isGroup ? "flex items-start gap-1.5 rounded-md border border-line p-3" : "flex items-start gap-1.5"}
      data-item
    >
      <div className="min-w-0 grow">{children}</div>
      {buttonsProps.hasRemove && (
        <button
          aria-label={`Remove item ${index + 1} of ${list}`}
          className="flex size-9 shrink-0 items-center justify-center rounded-md text-faint hover:bg-raised hover:text-ink"
          onClick={(event) => {
            focusBeside(event.currentTarget);
            buttonsProps.onRemoveItem(event);
          }}
          type="button"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </div>
  );
}

/** Once an item is removed: the cross of the one that took its place, or of the last one, or what adds another. */
function focusBeside(cross: HTMLElement): void {
  const list = cross.closest("fieldset");
  const crosses = () => [...(list?.querySelectorAll<HTMLElement>(":scope > [data-item] > button") ?? [])];
  const place = crosses().indexOf(cross);
  requestAnimationFrame(() => {
    const left = crosses();
    const next = left[place] ?? left.at(-1) ?? list?.querySelector<HTMLElement>(":scope > button");
    next?.focus();
  });
}

const None = () => null;

export const templates: Partial<TemplatesType> = {
  FieldTemplate,
  ObjectFieldTemplate,
  ArrayFieldTemplate,
  ArrayFieldItemTemplate,
  BaseInputTemplate: BaseInput,
  DescriptionFieldTemplate: None,
  ErrorListTemplate: None,
  FieldErrorTemplate: None,
};
