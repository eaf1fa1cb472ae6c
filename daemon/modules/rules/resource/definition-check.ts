/** Checks what a definition refers to: sanctions that can be imposed, and plugins that annotate. */
import { DomainError, type ErrorDetail } from '../../../../src/contract/errors.js';
import { didYouMean, nearest } from '../../../../src/contract/nearest.js';
import type { RuleDefinition } from '../../../../src/contract/rules/rule-definition.js';
import { pastConditionsMax, phraseCharactersMax } from '../../../../src/contract/rules/rules.js';
import { nothingIn } from '../../../platform/text/dead-entry.js';
import type { AutomaticSanctions } from '../../moderation/sanctions/automatic.js';
import type { PluginSlugs } from '../../plugins/slugs.js';
import { annotationIn, placed } from '../judging/conditions.js';
import { emptyPhrases, phraseCharacters } from '../judging/phrases.js';

interface DefinitionNeeds {
  readonly plugins: Pick<PluginSlugs, 'installed' | 'catalogue'>;
  readonly sanctions: Pick<AutomaticSanctions, 'check'>;
}

export class DefinitionCheck {
  constructor(private readonly needs: DefinitionNeeds) {}

  /**
   * For rules that judge from now on. Throws validation_failed, sanction_time_invalid, sanction_parameters_invalid,
   * rule_plugin_not_installed.
   */
  async judging(projectId: string, definition: RuleDefinition): Promise<void> {
    this.checkPhrases(definition);
    this.checkCost(definition);
    this.checkSanctions(definition);
    await this.checkPlugins(projectId, definition, (installed) => installed);
  }

  /**
   * For rules that are tried on the past, in which plugins annotated that the project has uninstalled since. Throws as
   * `judging` does.
   */
  async tried(projectId: string, definition: RuleDefinition): Promise<void> {
    this.checkPhrases(definition);
    this.checkCost(definition);
    this.checkSanctions(definition);
    await this.checkPlugins(projectId, definition, (installed, catalogue) => [...installed, ...catalogue]);
  }

  private checkPhrases(definition: RuleDefinition): void {
    const details = emptyPhrases(definition).map(({ place, index, phrase }): ErrorDetail => {
      const path = `body.definition.when.${place}.words.any.${index}`;
      return { path, message: nothingIn(phrase) };
    });
    if (details.length > 0) throw new DomainError('validation_failed', { details });
  }

  /** Bounds what one message costs. */
  private checkCost(definition: RuleDefinition): void {
    const asking = placed(definition.when).filter(
      ({ condition: { sanctions, gameEvents, count } }) => sanctions ?? gameEvents ?? count,
    ).length;
    if (asking > pastConditionsMax) {
      const message = `It has ${asking} conditions on sanctions, gameEvents and count; the maximum is ${pastConditionsMax}. Spread them over several rules.`;
      throw new DomainError('validation_failed', { message, details: [{ path: 'body.definition.when', message }] });
    }
    const characters = phraseCharacters(definition);
    if (characters <= phraseCharactersMax.rule) return;
    const message = `Its words and phrases have ${characters} characters in total; the maximum for a rule is ${phraseCharactersMax.rule}. Use fewer, or spread them over several rules.`;
    throw new DomainError('validation_failed', { message, details: [{ path: 'body.definition.when', message }] });
  }

  private checkSanctions({ steps }: RuleDefinition): void {
    for (const { sanction } of steps.flat()) if (sanction !== undefined) this.needs.sanctions.check(sanction);
  }

  private async checkPlugins(
    projectId: string,
    { when }: RuleDefinition,
    allowed: (installed: readonly string[], catalogue: readonly string[]) => readonly string[],
  ): Promise<void> {
    const named = placed(when).flatMap(({ place, condition }) => {
      const slug = annotationIn(condition)?.plugin;
      const field = condition.count === undefined ? 'annotation.plugin' : 'count.of.annotation.plugin';
      return slug === undefined ? [] : [{ path: `body.definition.when.${place}.${field}`, slug }];
    });
    if (named.length === 0) return;
    const installed = await this.needs.plugins.installed(projectId);
    const catalogue = await this.needs.plugins.catalogue();
    const known = allowed(installed, catalogue);
    const details = named
      .filter(({ slug }) => !known.includes(slug))
      .map(({ path, slug }): ErrorDetail => {
        const message = catalogue.includes(slug)
          ? `The project has not installed the plugin ${slug}. Install it with \`plugins install ${slug}\`.`
          : `There is no plugin ${slug}. ${didYouMean(nearest(slug, [...installed, ...catalogue]), '`plugins list` lists them.')}`;
        return { path, message };
      });
    const [first] = details;
    if (first !== undefined) throw new DomainError('rule_plugin_not_installed', { message: first.message, details });
  }
}
