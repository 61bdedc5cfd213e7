<?php
// SPDX-License-Identifier: Apache-2.0
//
// fill.php writes the wiki's pages with all their revisions, always the same. PHP runs it with MW_INSTALL_PATH.
use MediaWiki\MediaWikiServices;
use MediaWiki\Revision\SlotRecord;

require getenv('MW_INSTALL_PATH') . '/maintenance/Maintenance.php';

/** Text as articles have it: sections, links to pages that are there and to others, a table, a template. */
class Text {
    private const SYLLABLES = ['ba', 'ke', 'lo', 'mi', 'ta', 'ru', 'sen', 'vo', 'di', 'pel', 'no', 'shi', 'fu', 'tor'];

    public static function words(int $n): string {
        $out = [];
        for ($i = 0; $i < $n; $i++) {
            $word = '';
            for ($k = mt_rand(1, 3); $k > 0; $k--) {
                $word .= self::SYLLABLES[mt_rand(0, count(self::SYLLABLES) - 1)];
            }
            $out[] = $word;
        }
        return implode(' ', $out);
    }

    public static function article(int $pages): string {
        $out = '{{Note|about=' . self::words(4) . "}}\n";
        for ($section = 0; $section < 6; $section++) {
            $out .= "\n== " . self::words(3) . " ==\n";
            for ($i = 0; $i < 12; $i++) {
                $out .= self::words(10) . ' [[Article ' . mt_rand(1, $pages) . ']] ' . self::words(5) .
                    " '''" . self::words(1) . "''' [[Missing " . mt_rand(1, 4000) . '|' . self::words(2) . "]].\n";
            }
        }
        $out .= "\n{| class=\"wikitable\"\n! " . self::words(1) . ' !! ' . self::words(1) . "\n";
        for ($row = 0; $row < 15; $row++) {
            $out .= "|-\n| " . self::words(2) . ' || ' . mt_rand(1, 1000) . "\n";
        }
        return $out . "|}\n[[Category:Topic " . mt_rand(1, 20) . "]]\n";
    }
}

class Fill extends Maintenance {
    private const PAGES = 400;
    private const REVISIONS = 3;

    public function execute() {
        mt_srand(1);
        $this->write('Template:Note', "{| class=\"note\"\n| {{#if:{{{about|}}}|About: {{{about}}}|About nothing}}\n|}");
        for ($k = 0; $k < self::REVISIONS; $k++) {
            for ($i = 1; $i <= self::PAGES; $i++) {
                $this->write("Article $i", Text::article(self::PAGES));
            }
        }
    }

    private function write(string $title, string $text): void {
        $page = MediaWikiServices::getInstance()->getWikiPageFactory()->newFromTitle(Title::newFromText($title));
        $updater = $page->newPageUpdater(User::newSystemUser('Filler', ['steal' => true]));
        $updater->setContent(SlotRecord::MAIN, new WikitextContent($text));
        $updater->saveRevision(CommentStoreComment::newUnsavedComment(Text::words(4)));
        if (!$updater->wasSuccessful()) {
            $this->fatalError("$title: " . $updater->getStatus()->getWikiText());
        }
    }
}

$maintClass = Fill::class;
require_once RUN_MAINTENANCE_IF_MAIN;
