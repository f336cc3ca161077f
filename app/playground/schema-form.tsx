// The form that a tool's inputSchema makes. Loaded when the Playground is open in a browser with scripts, and only then.
// Not from the package's root, which brings its own tests' validator along.
import Form from "@rjsf/core/lib/components/Form.js";
import type { ErrorSchema, UiSchema } from "@rjsf/utils";
import { useMemo } from "react";
import { templates } from "./form-look";
import { widgets } from "./form-widgets";
import type { ArgumentIssue } from "./run";
import { forForm, type ToolSchema, withoutEmpty } from "./tool-schema";
import { formValidator } from "./validator";

const uiSchema: UiSchema = { "ui:submitButtonOptions": { norender: true } };
// Nothing is filled in by itself: the call has what the person gave.
const asGiven = {
  emptyObjectFields: "skipDefaults",
  arrayMinItems: { populate: "never" },
  mergeDefaultsIntoFormData: "useFormDataIfPresent",
} as const;

export default function SchemaForm({
  schema,
  value,
  issues,
  onChange,
}: {
  schema: ToolSchema;
  value: Record<string, unknown>;
  /** What the tool found wrong with the last call. */
  issues: ArgumentIssue[];
  onChange: (value: Record<string, unknown>) => void;
}) {
  const formSchema = useMemo(() => forForm(schema), [schema]);
  const extraErrors = useMemo(() => errorsOf(issues), [issues]);
  return (
    <Form
      experimental_defaultFormStateBehavior={asGiven}
      extraErrors={extraErrors}
      formData={value}
      idPrefix="argument"
      noHtml5Validate
      noValidate
      onChange={({ formData }, field) => {
        // Without a field it is a change of the form's own: it drops arguments named as what every object inherits.
        if (field) onChange((withoutEmpty(formData) ?? {}) as Record<string, unknown>);
      }}
      schema={formSchema as never}
      showErrorList={false}
      tagName="div"
      templates={templates}
      uiSchema={withBoxes(formSchema)}
      validator={formValidator}
      widgets={widgets}
    />
  );
}

/** Lists of fixed choices as boxes, wherever they stand. */
function withBoxes(schema: ToolSchema): UiSchema {
  const own: UiSchema = schema.uniqueItems ? { "ui:widget": "checkboxes" } : {};
  const inner = Object.entries(schema.properties ?? {}).map(([name, property]) => [name, withBoxes(property)]);
  const items = schema.items ? { items: withBoxes(schema.items) } : {};
  return { ...uiSchema, ...own, ...items, ...Object.fromEntries(inner) };
}

/** Issues such as `filters.price.min` as the form's tree of errors. Beside its field what is said begins as a sentence does. */
function errorsOf(issues: ArgumentIssue[]): ErrorSchema {
  const root: Tree = {};
  for (const { path, message } of issues) {
    let at = root;
    for (const step of path === "" ? [] : path.split(".")) {
      // An argument may have any name, also that of what every object inherits.
      const next = Object.hasOwn(at, step) ? (at[step] as Tree) : {};
      at[step] = next;
      at = next;
    }
    at.__errors = [
      ...((at.__errors as string[] | undefined) ?? []),
      message.charAt(0).toUpperCase() + message.slice(1),
    ];
  }
  return root as ErrorSchema;
}

interface Tree {
  [step: string]: Tree | string[];
}
