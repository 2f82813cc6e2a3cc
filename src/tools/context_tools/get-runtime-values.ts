import * as z from 'zod';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'get_runtime_values',
  title: 'Get runtime values',
  description:
    'Returns what this installation calls itself: `values.product_instance_name`, from the setting loci.instanceName, else the name of the workspace. Use it when the person, a script or an integration needs to know which instance or workspace is running; it reads no environment variables and no secrets.',
  input: z.object({}),
  effect: 'read',
  async run(_, { runtime, signal }) {
    return { data: { values: await runtime.values(undefined, signal) } };
  },
});
