/** The steps of Get Started. Each has a picture, media/walkthrough/<picture>-{light,dark,hc}.png, taken in the real editor. */
export const walkthrough = {
  id: 'start',
  title: 'Get Started with Loci',
  description: 'Give agents the right context: your documents, your skills, and the tools they need.',
  steps: [
    {
      id: 'search',
      title: 'Search What the Project Knows',
      description:
        'Loci indexes the documents of the workspace by itself, on this machine. Search them as agents do: by meaning, by word, by identifier.\n[Search Knowledge](command:loci.search)',
      picture: 'search',
      alt: 'The search shows passages of documents while a question is typed.',
      done: 'onCommand:loci.search',
    },
    {
      id: 'knowledge',
      title: 'See What Is Indexed',
      description:
        'The Knowledge view has every folder and document, how far the index is, and which files are left out and why. Any other folder can be added.\n[Show Knowledge](command:loci.knowledge.focus)\n[Add a Knowledge Base](command:workbench.action.openSettings?%22loci.knowledgeBases%22)',
      picture: 'knowledge',
      alt: 'The Knowledge view lists folders and documents of a workspace.',
      done: 'onView:loci.knowledge',
    },
    {
      id: 'ask',
      title: 'Ask an Agent',
      description:
        'In a chat in agent mode the model finds and reads passages with Loci’s tools by itself, and says where the answer is from.\n[Open Chat](command:workbench.action.chat.open)',
      picture: 'agent',
      alt: 'An agent answers a question from the documents of the workspace.',
      done: 'onCommand:workbench.action.chat.open',
    },
    {
      id: 'skills',
      title: 'Teach Agents with Skills',
      description:
        'A skill is a folder with a SKILL.md. The Skills view shows where each is from, which are active and read in the latest chat, and exactly what is wrong with one that is not valid.\n[Show Skills](command:loci.skills.focus)\n[New Skill](command:loci.skill.create)',
      picture: 'skills',
      alt: 'The Skills view lists skills by source, one of them invalid.',
      done: 'onView:loci.skills',
    },
    {
      id: 'groups',
      title: 'Decide Which Tools Agents Have',
      description:
        'Few tools are on from the start; agents activate the group that a task needs. Make a group a default of new chats, or deny it.\n[Show Tool Groups](command:loci.groups.focus)',
      picture: 'groups',
      alt: 'The Tool Groups view shows which groups are active, default or denied.',
      done: 'onView:loci.groups',
    },
  ],
} as const;
