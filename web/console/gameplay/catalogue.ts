/** The catalogue of game events, for the forms that count them. */
import { z } from 'zod';
import { type EventDescription, gameplayRoutes } from '../../../src/contract/gameplay/gameplay.js';
import type { Choices } from '../parts/schema-field.js';
import { textIn } from '../parts/typed-values.js';
import { useRead } from '../parts/use-read.js';

type Property = EventDescription['required_properties'][number];

export function useCatalogue(): readonly EventDescription[] {
  const { data = [] } = useRead(gameplayRoutes.getAvailableEvents, {});
  return data;
}

/** The properties of the chosen event, for its conditions and for what is added up. */
export function useEventChoices(): Choices {
  const catalogue = useCatalogue();
  return (draft): Readonly<Record<string, readonly string[]>> => {
    const found = catalogue.find(({ event_name }) => event_name === textIn(draft, 'eventName'));
    if (found === undefined) return {};
    const all = [...found.required_properties, ...found.optional_properties];
    return {
      key: all.map(({ property_name }) => property_name),
      countProperty: all
        .filter(({ property_type }) => property_type === 'number')
        .map(({ property_name }) => property_name),
    };
  };
}

const schemaOf = ({ property_type }: Property) => (property_type === 'number' ? z.number() : z.string().min(1));

/** The properties of an event as a schema: what it needs, and what it may have. */
export const propertiesSchema = ({ required_properties, optional_properties }: EventDescription) =>
  z.object({
    ...Object.fromEntries(required_properties.map((one) => [one.property_name, schemaOf(one)])),
    ...Object.fromEntries(optional_properties.map((one) => [one.property_name, schemaOf(one).optional()])),
  });
