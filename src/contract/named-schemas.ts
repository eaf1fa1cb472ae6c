/**
 * Turns zod schemas into JSON Schema and keeps those with a name (`.meta({ id })`) once. Where the form of a request
 * differs from that of an answer (a default makes a field optional in one and certain in the other), the one of the
 * request is called `NameInput`.
 */
import { z } from 'zod';

export type Json = Record<string, unknown>;
type Direction = 'input' | 'output';

const place = '#/components/schemas/';
/** Marks references to the form of a request until it is known which names have two forms. */
const mark = '?input';

export class NamedSchemas {
  private readonly forms: Readonly<Record<Direction, Map<string, Json>>> = { input: new Map(), output: new Map() };

  /** Of a request (`input`) or an answer (`output`); a reference where the schema has a name. */
  of(type: z.ZodType, direction: Direction): Json {
    const { properties, $defs = {} } = z.toJSONSchema(z.object({ it: type }), {
      io: direction,
      unrepresentable: 'any',
      reused: 'inline',
      // Answers may gain fields; a client that refuses unknown ones would break.
      override: ({ jsonSchema }) => {
        if (direction === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    });
    const suffix = direction === 'input' ? mark : '';
    const referring = (schema: unknown): Json =>
      JSON.parse(JSON.stringify(schema).replaceAll(/"#\/\$defs\/([^"]+)"/g, `"${place}$1${suffix}"`));
    for (const [name, schema] of Object.entries($defs)) this.forms[direction].set(name, referring(schema));
    return referring(properties?.it);
  }

  /** The document with every reference in its final form, and all named schemas among its components. */
  settle(document: Json & { components: Json }): Json {
    const twofold = this.twofold();
    const schemas = new Map(this.forms.output);
    for (const [name, schema] of this.forms.input) schemas.set(twofold.has(name) ? `${name}Input` : name, schema);
    const sorted = [...schemas].sort(([one], [other]) => (one < other ? -1 : 1));
    const whole = { ...document, components: { ...document.components, schemas: Object.fromEntries(sorted) } };
    return JSON.parse(
      JSON.stringify(whole).replaceAll(/#\/components\/schemas\/([^"?]+)\?input/g, (_, name: string) =>
        twofold.has(name) ? `${place}${name}Input` : place + name,
      ),
    );
  }

  /** Names whose two forms differ, by themselves or by what they refer to. */
  private twofold(): ReadonlySet<string> {
    const { input, output } = this.forms;
    const found = new Set<string>();
    const differs = (name: string, text: string): boolean =>
      text.replaceAll(mark, '') !== JSON.stringify(output.get(name)) ||
      [...found].some((other) => text.includes(`"${place}${other}${mark}"`));
    for (let before = -1; before !== found.size; ) {
      before = found.size;
      for (const [name, schema] of input)
        if (output.has(name) && differs(name, JSON.stringify(schema))) found.add(name);
    }
    return found;
  }
}
