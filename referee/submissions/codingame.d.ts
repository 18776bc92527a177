// What a bot in TypeScript may use without types of its own: the functions of CodinGame, and Node.
declare function readline(): string;
declare function print(...values: unknown[]): void;
declare function printErr(...values: unknown[]): void;
declare const console: any;
declare const process: any;
declare const require: any;
declare const module: any;
declare const performance: any;
declare const setTimeout: any;
declare const Buffer: any;
declare module '*';
