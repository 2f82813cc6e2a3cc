/** A kind of secret that is known by its own look, whatever stands around it. */
export interface SecretFormat {
  /** Names the secret in the text that takes its place. */
  readonly name: string;
  /** One of these is in every text that holds such a secret: the pattern is not tried without. */
  readonly hints: readonly string[];
  /** Global. The secret is its first group, or the whole match where there is none. Linear: no run is unbounded twice. */
  readonly pattern: RegExp;
}

/** Formats as the services document them, or as their tokens show. */
export const formats: readonly SecretFormat[] = [
  {
    name: 'private-key',
    hints: ['PRIVATE KEY'],
    // Whole, cut off or with its line breaks escaped, as in JSON.
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[rn])*(?:[A-Za-z-]{1,40}: [^\n\\]{0,200}(?:\s|\\[rn])+)*(?:[A-Za-z0-9+/=]{16,}(?:(?:\s|\\[rn])+|$))*(?:(?:[A-Za-z0-9+/=]{1,80}(?:\s|\\[rn])*)?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g,
  },
  { name: 'aws-key', hints: ['AKIA', 'ASIA', 'ABIA', 'ACCA'], pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g },
  {
    name: 'github-token',
    hints: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})/g,
  },
  { name: 'gitlab-token', hints: ['gl'], pattern: /\bgl(?:pat|dt|rt|ptt|ft|imt|agent|oas|cbt|soat)-[\w.-]{20,300}/g },
  {
    name: 'slack-token',
    hints: ['xox', 'xapp-', 'hooks.slack.com'],
    pattern: /\b(?:xox[a-z]-[\w.-]{10,300}|xapp-[\w-]{10,300}|hooks\.slack\.com\/services\/[\w/]{20,200})/g,
  },
  { name: 'api-key', hints: ['sk-'], pattern: /\bsk-[A-Za-z0-9_-]{20,300}/g },
  {
    name: 'google-key',
    hints: ['AIza', 'GOCSPX-', 'ya29.'],
    pattern: /\b(?:AIza[\w-]{35}|GOCSPX-[\w-]{20,60}|ya29\.[\w-]{20,300})/g,
  },
  {
    name: 'stripe-key',
    hints: ['_live_', '_test_', 'whsec_'],
    pattern: /\b(?:(?:sk|rk|pk)_(?:live|test)_[0-9A-Za-z]{16,250}|whsec_[0-9A-Za-z+/=]{24,100})/g,
  },
  { name: 'npm-token', hints: ['npm_'], pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { name: 'pypi-token', hints: ['pypi-'], pattern: /\bpypi-[\w-]{50,1000}/g },
  { name: 'sendgrid-key', hints: ['SG.'], pattern: /\bSG\.[\w-]{16,32}\.[\w-]{16,64}/g },
  { name: 'twilio-key', hints: ['SK', 'AC'], pattern: /\b(?:SK|AC)[0-9a-f]{32}\b/g },
  { name: 'huggingface-token', hints: ['hf_'], pattern: /\bhf_[A-Za-z0-9]{30,40}\b/g },
  { name: 'databricks-token', hints: ['dapi'], pattern: /\bdapi[0-9a-f]{32}(?:-\d)?\b/g },
  { name: 'vault-token', hints: ['hvs.', 'hvb.', 'hvr.'], pattern: /\bhv[sbr]\.[\w-]{20,300}/g },
  {
    name: 'token',
    hints: [
      'dop_v1_',
      'doo_v1_',
      'dckr_pat_',
      'shp',
      'lin_api_',
      'PMAK-',
      'glsa_',
      'glc_',
      'sntry',
      'ATATT3',
      'figd_',
      'pscale_',
      'NRAK-',
      'ntn_',
      'sbp_',
      'ops_ey',
      'rubygems_',
      'AGE-SECRET-KEY-1',
      'pul-',
      'tfp_',
      'gsk_',
      'xai-',
      'tskey-',
      'v1.0-',
    ],
    pattern:
      /\b(?:do[op]_v1_[a-f0-9]{64}|dckr_pat_[\w-]{20,60}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|lin_api_[A-Za-z0-9]{30,60}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}|gl(?:sa|c)_[\w=+/-]{30,300}|sntry[su]_[\w=+/-]{30,300}|ATATT3[\w=-]{30,300}|figd_[\w-]{30,60}|pscale_(?:tkn|pw|oauth)_[\w.-]{20,80}|NRAK-[A-Z0-9]{20,40}|ntn_[A-Za-z0-9]{40,60}|sbp_[a-f0-9]{40}|ops_ey[\w=-]{50,2000}|rubygems_[a-f0-9]{48}|AGE-SECRET-KEY-1[A-Z0-9]{50,70}|pul-[a-f0-9]{40}|tfp_[\w-]{30,80}|gsk_[A-Za-z0-9]{40,60}|xai-[A-Za-z0-9]{60,100}|tskey-[a-z]{3,12}-[\w-]{20,80}|v1\.0-[a-f0-9]{24}-[a-f0-9]{100,200})/g,
  },
  {
    name: 'jwt',
    hints: ['eyJ'],
    pattern: /\beyJ[\w-]{8,2000}\.eyJ[\w-]{8,8000}\.[\w-]{8,2000}/g,
  },
  {
    name: 'password',
    hints: ['://'],
    // The password of an address: scheme://user:password@host.
    pattern: /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:@/"'`<>]{0,100}:([^\s/"'`<>]{1,200})@/gi,
  },
  { name: 'signature', hints: ['sig='], pattern: /[?&;]sig=([A-Za-z0-9%+/=_-]{20,200})/g },
  {
    name: 'credential',
    hints: ['earer ', 'EARER ', 'asic ', 'ASIC '],
    pattern: /\b(?:bearer|basic) {1,3}((?=[A-Za-z._~+/=-]{0,200}\d)[\w.~+/=-]{12,4000})/gi,
  },
];
