import { participant } from '../vscode/chat/contribution.ts';
import { commands, container, itemActions, ownSkills, titleActions, views, welcomes } from '../vscode/manifest.ts';
import { walkthrough } from '../vscode/walkthrough.ts';

/** Puts a text into package.nls.json under a key and returns what stands for it in package.json. */
type Text = (key: string, value: string) => string;

/** `contributes` of package.json from the rows of the manifest, besides tools and settings. */
export function contributions(text: Text): Record<string, unknown> {
  const palette = Object.entries(commands).flatMap(([command, row]) =>
    'when' in row ? [{ command, when: row.when }] : [],
  );
  return {
    commands: Object.entries(commands).map(([command, { title, icon }]) => ({
      command,
      title: text(command, title),
      category: 'Loci',
      icon,
    })),
    viewsContainers: { activitybar: [{ ...container, title: text('container', container.title) }] },
    views: {
      [container.id]: Object.entries(views).map(([id, { name, ...look }]) => ({ id, name: text(id, name), ...look })),
    },
    viewsWelcome: welcomes.map(({ view, text: contents, when }, index) => ({
      view,
      contents: text(`welcome.${index + 1}`, contents),
      ...(when && { when }),
    })),
    menus: {
      commandPalette: palette,
      'view/title': titleActions.map(({ view, command, group }) => ({ command, when: `view == ${view}`, group })),
      'view/item/context': itemActions.flatMap(({ view, command, words, group, inline, when: further }) => {
        const when = [`view == ${view}`, ...words.map(hasWord), ...(further ? [further] : [])].join(' && ');
        return [{ command, when, group }, ...(inline ? [{ command, when, group: `inline@${inline}` }] : [])];
      }),
    },
    walkthroughs: [
      {
        id: walkthrough.id,
        title: text('walkthrough', walkthrough.title),
        description: text('walkthrough.description', walkthrough.description),
        steps: walkthrough.steps.map(({ id, title, description, picture, alt, done }) => ({
          id,
          title: text(`walkthrough.${id}`, title),
          description: text(`walkthrough.${id}.description`, description),
          media: {
            image: Object.fromEntries(
              ['dark', 'light', 'hc', 'hcLight'].map((theme) => [theme, pictureOf(picture, theme)]),
            ),
            altText: text(`walkthrough.${id}.alt`, alt),
          },
          completionEvents: [done],
        })),
      },
    ],
    chatParticipants: [
      {
        id: participant.id,
        name: participant.name,
        fullName: participant.fullName,
        description: text('participant', participant.description),
        isSticky: false,
        commands: Object.entries(participant.commands).map(([name, description]) => ({
          name,
          description: text(`participant.${name}`, description),
        })),
        disambiguation: [participant.disambiguation],
      },
    ],
    chatSkills: ownSkills.map((path) => ({ path })),
  };
}

/** Views are pictured in each kind of theme but the light one of high contrast, which looks like the light one. */
function pictureOf(name: string, theme: string): string {
  const taken = theme === 'hcLight' ? 'light' : theme;
  return `media/walkthrough/${name}-${taken}.png`;
}

/** Whole words: `active` must not be found in `inactive`. */
function hasWord(word: string): string {
  return `viewItem =~ /\\b${word}\\b/`;
}
